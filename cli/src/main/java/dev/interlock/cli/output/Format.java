package dev.interlock.cli.output;

/** In which form an answer is wanted. */
public enum Format {
    TABLE,
    JSON,
    YAML
}

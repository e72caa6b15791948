package dev.interlock.core;

/**
 * Who asks for locks in this process.
 *
 * @param owner this instance of the process: host, process id and a random part, joined by colons
 * @param user the person or service on whose behalf it runs
 */
public record Identity(String owner, String user) {}

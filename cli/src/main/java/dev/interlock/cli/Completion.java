package dev.interlock.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

final class Completion implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("SHELL", "bash, zsh or fish.");
    }

    @Override
    public int run(Given given, Session session) {
        String shell = given.positional();
        String script = switch (shell) {
            case "bash", "zsh" -> AutoComplete.bash("interlock", tree());
            case "fish" -> fish();
            default -> throw new UsageError("There is completion for bash, zsh and fish, not for '" + shell + "'.");
        };
        session.terminal().out().print(script);
        return Exit.OK;
    }

    /** The whole tree, which nothing but the generator needs. */
    private static CommandLine tree() {
        CommandSpec root = CommandSpec.create().name("interlock");
        for (String path : Commands.PATHS) {
            int blank = path.indexOf(' ');
            CommandSpec parent = blank < 0 ? root : group(root, path.substring(0, blank));
            String word = path.substring(blank + 1);
            parent.addSubcommand(word, Commands.shape(path).spec().name(word));
        }
        return new CommandLine(root);
    }

    private static CommandSpec group(CommandSpec root, String name) {
        CommandLine known = root.subcommands().get(name);
        if (known == null) {
            known = new CommandLine(CommandSpec.create().name(name));
            root.addSubcommand(name, known);
        }
        return known.getCommandSpec();
    }

    private static String fish() {
        StringBuilder script = new StringBuilder("complete -c interlock -f\n");
        for (String group : Commands.GROUPS) {
            script.append("complete -c interlock -n __fish_use_subcommand -a ").append(group);
            script.append(" -d ").append(Shell.quoted(HelpPage.summary(group))).append('\n');
        }
        for (String path : Commands.PATHS) {
            int blank = path.indexOf(' ');
            script.append("complete -c interlock -n ").append(beforeLastWord(path));
            script.append(" -a ").append(path.substring(blank + 1));
            script.append(" -d ").append(Shell.quoted(HelpPage.summary(path))).append('\n');
            options(script, path);
        }
        return script.toString();
    }

    private static String beforeLastWord(String path) {
        int blank = path.indexOf(' ');
        return blank < 0 ? "__fish_use_subcommand" : seen(path.substring(0, blank));
    }

    private static void options(StringBuilder script, String path) {
        String condition = seen(path);
        for (OptionSpec option : Commands.shape(path).spec().options()) {
            script.append("complete -c interlock -n ").append(condition);
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            script.append(option.arity().max() == 0 ? "" : " -x");
            script.append(" -d ").append(Shell.quoted(option.description()[0])).append('\n');
        }
    }

    /** True when all words of the path have been typed. */
    private static String seen(String path) {
        return "'__fish_seen_subcommand_from " + path.replace(" ", "; and __fish_seen_subcommand_from ") + "'";
    }
}

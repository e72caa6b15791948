package dev.interlock.cli;

import dev.interlock.core.LockName;
import dev.interlock.core.work.ResourceStore.Kept;
import dev.interlock.core.work.ResourceStore.Registration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class ResourcesRegister implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("TARGET", "The target, whose name is also the name of its lock.")
                .required("--lifecycle", "NAME", "The lifecycle that says what may be done to it.")
                .repeatable(
                        "--field",
                        "KEY=VALUE",
                        "What is known of it; may be repeated. The lifecycle may want some, to tell resources apart.")
                .option(
                        "--ttl",
                        "DURATION",
                        "How long it may live, by the clock of the store: from 1s to 366d. Default: for ever.")
                .output()
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        LockName target = given.name();
        String lifecycle = given.text("--lifecycle", "");
        Map<String, String> fields = fields(given);
        Duration ttl = given.duration("--ttl", Duration.ofSeconds(1), Limits.LONGEST);
        return answer(session, register(session, target, lifecycle, fields, ttl));
    }

    private static Registration register(
            Session session, LockName target, String lifecycle, Map<String, String> fields, @Nullable Duration ttl) {
        try {
            return session.work()
                    .resources()
                    .register(target, lifecycle, fields, ttl, session.identity().user());
        } catch (IllegalArgumentException e) {
            throw new UsageError("--field: " + e.getMessage());
        }
    }

    private static Map<String, String> fields(Given given) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String text : given.texts("--field")) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new UsageError("--field takes KEY=VALUE, not '" + text + "'.");
            }
            String key = text.substring(0, equals);
            if (fields.put(key, text.substring(equals + 1)) != null) {
                throw new UsageError("--field gives '" + key + "' twice.");
            }
        }
        return fields;
    }

    private static int answer(Session session, Registration registration) {
        return switch (registration) {
            case Registration.Registered(Kept kept) -> done(session, kept, registration);
            case Registration.Repeated(Kept kept) -> done(session, kept, registration);
            case Registration.Different refused -> session.say(Exit.REFUSED, refused.sentence());
            case Registration.NameTaken refused -> session.say(Exit.REFUSED, refused.sentence());
            case Registration.UnknownLifecycle refused -> session.say(Exit.REFUSED, refused.sentence());
            case Registration.MissingFields refused -> session.say(Exit.REFUSED, refused.sentence());
        };
    }

    private static int done(Session session, Kept kept, Registration registration) {
        session.answer(new ResourceAnswer(kept, false));
        return session.say(Exit.OK, registration.sentence());
    }
}

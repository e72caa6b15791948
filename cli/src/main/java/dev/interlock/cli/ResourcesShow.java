package dev.interlock.cli;

import dev.interlock.core.LockName;
import dev.interlock.core.work.ResourceStore.Kept;
import java.util.Optional;

final class ResourcesShow implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("TARGET", "The target that was registered.").output();
    }

    @Override
    public int run(Given given, Session session) {
        LockName target = given.name();
        Optional<Kept> kept = session.work().resources().find(target);
        return kept.isPresent()
                ? session.answer(new ResourceAnswer(kept.get(), true))
                : session.say(Exit.REFUSED, "There is no resource '" + target + "'. See: interlock resources list");
    }
}

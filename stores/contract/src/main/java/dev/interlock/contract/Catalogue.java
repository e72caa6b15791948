package dev.interlock.contract;

/** What the contract answers for: every promise of the store SPI, and every fault that a store can be tried with. */
public enum Catalogue {
    // The verbs.
    ACQUIRE("grants atomically, takes over what has expired, gives the same holder its own lock back"),
    RENEW("only while token and holder match and the lease has not expired"),
    RELEASE("only the holder's own grant, matched by token; a repeat is harmless"),
    FIND("records with their state as the store's clock sees it"),
    LIST("by filter and page, in canonical order"),
    FORCE("needs the token that was seen; tells a live holder; the next grant has a higher token"),
    MAINTENANCE("a person holds a lock, with a reason, a ticket and an end"),
    WITHDRAW("gives up whatever a holder has or waits for"),
    // What holds for all of them.
    TOKENS("strictly increase per name, for ever, and can be read by anyone"),
    STATUS("active, releasing, released, expired"),
    LOCK_DELAY("closes the lock after an unclean end"),
    COOLDOWN("closes the lock after a clean end"),
    MAX_HOLD("ends a grant however often its lease is renewed"),
    LEASES("are records: what hangs on them is renewed by one write and falls with them"),
    TAKEOVER("revokes the expired lease first, then grants, and frees all that hung on it"),
    NAMES("are free text, mapped safely, never shared"),
    SETS("are granted all or none in one step"),
    WAITING("is first come first served; the lock is handed over in the step that frees it"),
    QUEUE_LIMIT("is kept"),
    HISTORY("tells of every tenure, refusal and forced release, once"),
    PRUNING("removes what is unused and never lets a token return"),
    REPEATS("of a request are answered as the first time"),
    // Faults, by the letters of the fault catalogue.
    A4("the answer to a grant never arrives: it falls with its lease, its token is never used again"),
    A6("the answer is lost and the request repeated: the same grant and token"),
    A8("a waiter is interrupted: no place and no grant is left behind"),
    A9("a grant would come after the waiter's own end: it is not made"),
    A10("two requests in one process: exactly one is granted"),
    A11("sets asked for in different orders: no deadlock, no partial hold"),
    A12("a duplicated request: one grant"),
    B4("the answer to a renewal is lost: the next renewal succeeds"),
    B5("a renewal arrives after the takeover: lost, and the new grant is untouched"),
    B11("the work ends as the lease does: the store decides"),
    B12("a renewal after a release: lost, no resurrection"),
    B13("a lease renewed for ever: the maximum hold ends the grant"),
    C1("a process dies with its locks: they fall with its lease"),
    C2("the answer to a release is lost and it is repeated: released, even if another holds by now"),
    C3("a release with an old token: lost, nothing changes"),
    D1("a takeover races with a late renewal: one of them wins"),
    D5("no janitor runs: a request takes over by itself"),
    F3("the store's clock is set back: renewals never shorten a lease"),
    F5("durations at the edges"),
    F6("the store's clock is set back: a cooldown is never shortened"),
    H1("a waiter dies: it is skipped"),
    H2("the answer to a waiter is lost and the request repeated: it keeps its place"),
    H3("a long queue is served in order"),
    H5("a waiter dies with the lock just handed to it: the next gets it"),
    H6("a newcomer finds the lock free while others wait: it does not pass them"),
    IN2("two spellings of one name are one lock, two names that look alike are two"),
    IN4("text with quotes and statements in it stays text"),
    // Hazards known from other designs.
    HAZARD_1("a late release frees the next holder's lock"),
    HAZARD_2("two requests of one process both enter"),
    HAZARD_4("work that outlasts the lease is renewed"),
    HAZARD_5("distinct names share a lock"),
    HAZARD_6("records of used-up names stay for ever"),
    HAZARD_16("a holder does not learn that its lock was taken"),
    HAZARD_18("an earlier attempt ends the later one's lock"),
    HAZARD_23("the token count is deleted together with the record");

    private final String promise;

    Catalogue(String promise) {
        this.promise = promise;
    }

    public String promise() {
        return promise;
    }
}

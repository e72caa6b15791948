package dev.interlock.engine;

/**
 * What a worker does for one workflow.
 *
 * @param beginsAtOnce whether the work counts as begun when the handler is called; otherwise the handler says when
 */
record Offer(Handler handler, boolean beginsAtOnce) {}

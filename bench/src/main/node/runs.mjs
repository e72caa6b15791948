import { setImmediate, setTimeout } from 'node:timers/promises'

const FOR_EVER = -1

/** What the handlers of this process did, on the monotonic clock that all processes of the host share. */
export class Runs {
  #ran = []
  started = 0
  ended = 0

  /** Gives way at least once, so that a second handler of the same target can show itself. */
  handler(hold) {
    return async ({ target, number }) => {
      const ran = { target, number, start: process.hrtime.bigint(), end: 0n }
      this.#ran.push(ran)
      this.started++
      if (hold === FOR_EVER) await new Promise(() => {})
      await (hold === 0 ? setImmediate() : setTimeout(hold))
      ran.end = process.hrtime.bigint()
      this.ended++
    }
  }

  /** A line for each run, and an empty one. */
  lines() {
    return this.#ran.map(ran => `${ran.target} ${ran.number} ${ran.start} ${ran.end}\n`).join('')
  }
}

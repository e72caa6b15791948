import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'

const CALLERS = 16
const logger = new Logger(() => (level, message) => {
  if (level === 'error') console.error(message)
})

// As in its own benchmark. A local queue that came back short waits for the next poll, so it is bad at hand-overs.
const batched = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }

/** With a named queue for each target, which makes its jobs run one after the other, or without queues. */
export async function open(url, { named, inBatches }) {
  const pgPool = new pg.Pool({ connectionString: url, max: CALLERS })
  pgPool.on('error', console.error)
  pgPool.on('connect', client => client.on('error', console.error))
  const utils = await makeWorkerUtils({ pgPool, logger })
  await utils.migrate()
  const queue = job => (named ? { queueName: job.name } : {})

  return {
    submit: job => utils.addJob('job', job, queue(job)),

    submitAll: jobs => utils.addJobs(jobs.map(job => ({ identifier: 'job', payload: job, ...queue(job) }))),

    work: async (slots, handle) => {
      const worker = {
        connectionString: url,
        logger,
        concurrentJobs: slots,
        maxPoolSize: slots + 2,
        ...(inBatches ? batched : {}),
      }
      const runner = await run({ preset: { worker }, taskList: { job: handle }, noHandleSignals: true })
      return () => runner.stop()
    },
  }
}

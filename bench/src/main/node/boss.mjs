import { PgBoss } from 'pg-boss'

const QUEUE = 'job'
const CALLERS = 16
const LEAST_HEARTBEAT = 10

// One worker that fetches a job of every target at once is the fastest where order is kept; two where it is not.
const fast = { batchSize: 1000, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }
const workers = { key_strict_fifo: 1, standard: 2 }

/**
 * A queue of this policy. A lease of a minute or more leaves everything as it comes. One by one, each slot fetches a job
 * for itself; otherwise the slots do not count, since a batch is handled at once.
 */
export async function open(url, policy, lease, { oneByOne } = {}) {
  const watched = lease < 60
  const boss = new PgBoss({
    connectionString: url,
    max: CALLERS + 2,
    schedule: false,
    ...(watched ? { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 } : {}),
  })
  boss.on('error', console.error)
  await boss.start()
  await boss.createQueue(QUEUE, { policy, ...(watched ? { heartbeatSeconds: Math.max(LEAST_HEARTBEAT, lease) } : {}) })
  const key = job => (policy === 'standard' ? {} : { singletonKey: job.name })

  return {
    submit: job => boss.send(QUEUE, job, key(job)),

    submitAll: jobs => boss.insert(QUEUE, jobs.map(job => ({ data: job, ...key(job) }))),

    work: async (slots, handle) => {
      const options = oneByOne
        ? { ...fast, batchSize: 1, localConcurrency: slots }
        : { ...fast, localConcurrency: workers[policy] }
      await boss.work(QUEUE, options, jobs => Promise.all(jobs.map(job => handle(job.data))))
      return () => boss.offWork(QUEUE)
    },
  }
}

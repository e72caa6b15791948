// A process of one peer, spoken to line by line; JobServant.java does the same for the peers in Java.
import { createInterface } from 'node:readline'
import { Runs } from './runs.mjs'
import * as graphile from './graphile.mjs'
import * as boss from './boss.mjs'

const CHUNK = 1000
const PREFIX = 'production/deployment/service-'
const peers = {
  'graphile-named': url => graphile.open(url, { named: true, inBatches: true }),
  'graphile-direct': url => graphile.open(url, { named: true, inBatches: false }),
  'graphile-plain': url => graphile.open(url, { named: false, inBatches: true }),
  'boss-slots': (url, lease) => boss.open(url, 'key_strict_fifo', lease, { oneByOne: true }),
  'boss-strict': (url, lease) => boss.open(url, 'key_strict_fifo', lease),
  'boss-plain': (url, lease) => boss.open(url, 'standard', lease),
}

const say = line => process.stdout.write(line + '\n')
const [peer, lease] = process.argv.slice(2)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const hear = async () => (await lines.next()).value

const client = await peers[peer](await hear(), Number(lease))
let runs = new Runs()
let stop = async () => {}

/** One job for each target in turn, as Backlog.java has it. */
const job = (index, first, targets) => {
  const target = first + index % targets
  return { name: PREFIX + target, target, number: Math.floor(index / targets) }
}

const verbs = {
  clock: async () => say(process.hrtime.bigint()),

  submit: async (how, ...numbers) => {
    const [from, count, first, targets, callers] = numbers.map(Number)
    const jobs = Array.from({ length: count }, (_, i) => job(from + i, first, targets))
    const start = process.hrtime.bigint()
    await (how === 'bulk' ? each(chunks(jobs), callers, client.submitAll) : each(jobs, callers, client.submit))
    say(process.hrtime.bigint() - start)
  },

  work: async (slots, hold) => {
    runs = new Runs()
    stop = await client.work(Number(slots), runs.handler(Number(hold)))
    say('working')
  },

  count: async () => say(`${runs.started} ${runs.ended}`),

  ran: async () => say(runs.lines()),

  rest: async () => {
    await stop()
    say('resting')
  },
}

const chunks = jobs =>
  Array.from({ length: Math.ceil(jobs.length / CHUNK) }, (_, i) => jobs.slice(i * CHUNK, (i + 1) * CHUNK))

async function each(parts, callers, call) {
  const rest = parts.values()
  const caller = async () => {
    for (const part of rest) await call(part)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

say('ready')
for (let line = await hear(); line !== undefined; line = await hear()) {
  const [verb, ...words] = line.split(' ')
  await verbs[verb](...words)
}
process.exit()

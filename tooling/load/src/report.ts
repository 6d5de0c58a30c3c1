import { cpus } from 'node:os'
import { circumstances } from '@augury/bench/circumstances'
import { CLASSES, type Class } from './flow.ts'
import { isBorne, type Outcome, type Seen } from './load.ts'

export const whole = (value: number) => (Number.isFinite(value) ? String(Math.round(value)) : '–')
export const fine = (value: number) => (Number.isFinite(value) ? value.toFixed(value < 10 ? 1 : 0) : '–')
const percent = (share: number) => `${Math.round(share * 100)} %`
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Share of a processor from which on a single-threaded program counts as saturated. */
const FULL = 0.85
/** How much more memory the last third of a phase may use than the middle one: a leak grows by half. */
const GROWTH = 0.1

export const answered = ({ of, seconds }: Seen) => {
  const { order, cancel } = of
  return `${whole(order.times.count / seconds)} orders and ${whole(cancel.times.count / seconds)} cancels a second (p99 ${fine(order.times.percentile(0.99))} ms from when an order was due)`
}

/** The steady phase compared with the requested rate: reached, or what was reached instead and what limits it. */
export function verdict({ scale, asked, steady }: Outcome): string {
  const { orders, cancels } = scale
  const borne = `${answered(steady)} for ${fine(steady.seconds / 60)} min`
  if (steady.pace.orders === orders && isBorne(steady)) return `reached: ${borne}`
  const [first, after] =
    steady.pace.orders === orders ? [steady, ''] : [asked, `. ${isBorne(steady) ? 'Borne' : 'Answered, not borne'} was less: ${borne}`]
  return `bound: of ${orders} orders and ${cancels} cancels a second that were asked for, ${answered(first)} were answered. What bounds it is ${boundOf(first)}${after}`
}

/** What was the bottleneck. */
export function boundOf({ usages, idle }: Seen): string {
  const use = (name: string) => usages.find((usage) => usage.name === name)
  const [exchange, generator] = [use('clob-server'), use('generator')]
  const most = usages
    .toSorted((a, b) => b.all - a.all)
    .slice(0, 4)
    .map(({ name, all }) => `${name} ${all.toFixed(2)}`)
    .join(', ')
  return generator && generator.loop > FULL
    ? 'the generator, which could send no more'
    : exchange && exchange.loop > FULL
      ? `the exchange's event loop, ${percent(exchange.loop)} busy`
      : idle < 1 - FULL
        ? `the machine: ${percent(1 - idle)} of ${cpus().length} processors were busy (${most})`
        : `waiting: ${percent(idle)} of the machine was idle, so commits or answers were waited for`
}

/** The latency of admitted orders compared with the steady phase: a sentence for every step of overload. */
function lateness({ phases, steady }: Outcome): string[] {
  const late = (phase: Seen, kind: Class) => phase.of[kind].times.percentile(0.99)
  return phases
    .filter(({ name }) => name.includes('×'))
    .map((phase) => {
      const times = late(phase, 'order') / late(steady, 'order')
      const [order, cancel] = [late(phase, 'order'), late(phase, 'cancel')].map(fine)
      return `${phase.name}: p99 of orders that were let in ${order} ms, ${fine(times)} × that of the steady phase; of cancels ${cancel} ms. The generator itself was away for ${whole(phase.away)} ms at most.`
    })
}

/** The exchange's memory over the steady phase, and how close to its limit it was. */
function soak({ phases, steady }: Outcome): string {
  const exchange = steady.usages.find(({ name }) => name === 'clob-server')
  if (!exchange) return ''
  const rate = ({ of, seconds }: Seen) => of.order.accepted / seconds
  const [middle, last] = exchange.rssThirds
  const grown = last / middle - 1
  return [
    `Soak: ${fine(steady.seconds / 60)} min at ${percent(rate(steady) / Math.max(...phases.map(rate)))} of the orders that it accepted in its best phase.`,
    `Memory of the exchange ${whole(middle)} MiB in the middle third, ${whole(last)} MiB in the last (${grown > GROWTH ? 'grows' : 'flat'}: ${(grown * 100).toFixed(1)} %);`,
    `descriptors ${exchange.files}, ${fine(exchange.filesSlope)} more an hour.`,
  ].join(' ')
}

/** A line for each class of requests in a phase. */
const classRows = (phase: Seen): string[][] =>
  CLASSES.map((kind) => {
    const { held, sent, accepted, refused, shed, codes, unanswered, times } = phase.of[kind]
    const why = Object.entries(codes).map(([code, count]) => ` ${code} ${count}`)
    const part = sent === 0 ? '–' : percent(shed / sent)
    return [
      `${phase.name}${phase.name === 'trial' ? ` of ${whole(phase.pace.orders)} and ${whole(phase.pace.cancels)}` : ''}`,
      kind,
      whole(sent / phase.seconds),
      whole(accepted / phase.seconds),
      String(refused),
      `${shed} (${part})${why}`,
      String(unanswered),
      String(held),
      fine(times.percentile(0.5)),
      fine(times.percentile(0.99)),
    ]
  })

/** A line for each program of the steady phase. */
function programRows(steady: Outcome['steady']): string[][] {
  const perSecond = (steady.of.order.times.count + steady.of.cancel.times.count) / steady.seconds
  return steady.usages.map(({ name, loop, all, rss, rssSlope, files, filesSlope }) => [
    name,
    loop.toFixed(2),
    all.toFixed(2),
    whole((all / perSecond) * 1_000_000),
    whole(rss),
    fine(rssSlope),
    String(files),
    fine(filesSlope),
  ])
}

/** The whole report, as Markdown. */
export function render(outcome: Outcome, commit: string): string {
  const { phases, steady, watched, reconciled, siteSeconds, wrong, scale } = outcome
  return [
    '# Load',
    '',
    `${circumstances(commit)}; ${siteSeconds === null ? 'exchange' : 'exchange, site, worker'}, PostgreSQL and the generator on the same machine. ${scale.traders} traders on ${scale.markets} markets, ${scale.sockets} market sockets, ${scale.views} page views a second.`,
    '',
    `**${verdict(outcome)}.** ${percent(steady.idle)} of the machine was idle in the steady phase.`,
    '',
    table(
      ['Phase', 'Class', 'Sent /s', 'Accepted /s', 'Refused', 'Turned away', 'No answer', 'Not sent', 'p50 ms', 'p99 ms'],
      phases.flatMap(classRows),
    ),
    '',
    'Times count from when a request was due. “Turned away” is 429 and 503, each with `Retry-After`; “not sent” is what the generator could not or would not send because too much was without an answer.',
    '',
    ...lateness(outcome),
    '',
    table(
      ['Program, steady phase', 'Processors, main thread', 'all threads', 'µs an answer', 'MiB', 'MiB an hour', 'Descriptors', 'an hour'],
      programRows(steady),
    ),
    '',
    `Slopes are those of the second half. The exchange remembers ended orders for ten minutes: before that its memory grows. PostgreSQL without what its processes share.`,
    '',
    soak(outcome),
    '',
    `Reconciled: ${reconciled.orders} orders and ${reconciled.cancels} cancels with placements, fills, ledger, positions and balances (${reconciled.unheard} happened without an answer); history was whole ${fine(reconciled.historySeconds)} s after the last; ${watched.books} books rebuilt from streams compared with the asked one at the same position; ${watched.events} events of accounts told once, as \`GET /events\` has them; ${watched.frames} frames without a gap or repeat asked for, ${watched.resyncs} books anew; ${watched.views} page views, p50 ${fine(watched.viewTimes.percentile(0.5))} ms, p99 ${fine(watched.viewTimes.percentile(0.99))} ms${siteSeconds === null ? '' : `; the site showed what was traded ${fine(siteSeconds)} s after that`}.`,
    '',
    wrong.length === 0
      ? 'Nothing acknowledged is missing, nothing refused is alive.'
      : wrong
          .slice(0, 40)
          .map((sentence) => `- WRONG: ${sentence}`)
          .join('\n'),
    '',
  ].join('\n')
}

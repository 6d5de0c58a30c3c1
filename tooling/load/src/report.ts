import { cpus } from 'node:os'
import { CLASSES } from './flow.ts'
import type { Outcome } from './load.ts'

const whole = (value: number) => (Number.isFinite(value) ? String(Math.round(value)) : '–')
const fine = (value: number) => (Number.isFinite(value) ? value.toFixed(value < 10 ? 1 : 0) : '–')
const percent = (share: number) => `${Math.round(share * 100)} %`
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** A share of the asked pace from which on it counts as reached. */
const REACHED = 0.98
/** Part of a processor from which on whoever runs there has no more to give. */
const FULL = 0.85

/** The steady phase held against what was asked: reached, or the bound and what it is. */
export function verdict({ phases, usages, idle, scale }: Outcome): string {
  const steady = phases.find(({ name }) => name === 'steady')!
  const { order, cancel } = steady.of
  const rate = (count: number) => count / steady.seconds
  const said = `${whole(rate(order.times.count))} orders and ${whole(rate(cancel.times.count))} cancels a second were answered for ${fine(steady.seconds / 60)} min, p99 ${fine(order.times.percentile(0.99))} ms from when an order was due`
  if (rate(order.times.count) >= scale.orders * REACHED) return `reached: ${said}`
  const use = (name: string) => usages.find((usage) => usage.name === name)
  const [exchange, generator] = [use('clob-server'), use('generator')]
  const most = usages
    .toSorted((a, b) => b.all - a.all)
    .slice(0, 4)
    .map(({ name, all }) => `${name} ${all.toFixed(2)}`)
    .join(', ')
  const bound =
    generator && generator.loop > FULL
      ? 'the generator, which could send no more'
      : exchange && exchange.loop > FULL
        ? `the exchange's event loop, ${percent(exchange.loop)} busy`
        : idle < 1 - FULL
          ? `the machine: ${percent(1 - idle)} of ${cpus().length} processors were busy (${most})`
          : `waiting: ${percent(idle)} of the machine was idle, so commits or answers were waited for`
  return `bound: ${said}, of ${scale.orders} asked for. What bounds it is ${bound}`
}

/** All that was seen, as Markdown. */
export function render(outcome: Outcome, commit: string): string {
  const { phases, usages, idle, watched, reconciled, wrong, scale } = outcome
  const classes = phases.flatMap((phase) =>
    CLASSES.map((kind) => {
      const { held, sent, accepted, refused, shed, codes, unanswered, times } = phase.of[kind]
      const why = Object.entries(codes).map(([code, count]) => ` ${code} ${count}`)
      const part = sent === 0 ? '–' : percent(shed / sent)
      return [
        ...[phase.name, kind, whole(sent / phase.seconds), whole(accepted / phase.seconds), String(refused), `${shed} (${part})${why}`],
        ...[String(unanswered), String(held), fine(times.percentile(0.5)), fine(times.percentile(0.99))],
      ]
    }),
  )
  const programs = usages.map(({ name, loop, all, rss, rssSlope, files, filesSlope }) => [
    ...[name, loop.toFixed(2), all.toFixed(2), whole(rss), fine(rssSlope), String(files), fine(filesSlope)],
  ])
  return [
    '# Load',
    '',
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC at ${commit} on ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; exchange, site, worker, PostgreSQL and the generator on the same machine. ${scale.traders} traders on ${scale.markets} markets, ${scale.sockets} market sockets, ${scale.views} page views a second.`,
    '',
    `**${verdict(outcome)}.** ${percent(idle)} of the machine was idle.`,
    '',
    table(['Phase', 'Class', 'Sent /s', 'Accepted /s', 'Refused', 'Turned away', 'No answer', 'Not sent', 'p50 ms', 'p99 ms'], classes),
    '',
    'Times count from when a request was due. “Turned away” is 429 and 503, each with `Retry-After`; “not sent” is what the generator could not or would not send because too much was without an answer.',
    '',
    table(['Program, steady phase', 'Processors, main thread', 'all threads', 'MiB', 'MiB an hour', 'Descriptors', 'an hour'], programs),
    '',
    `Slopes are those of the second half. The exchange remembers ended orders for ten minutes: before that its memory grows. PostgreSQL without what its processes share.`,
    '',
    `Reconciled: ${reconciled.orders} orders and ${reconciled.cancels} cancels with placements, fills, ledger, positions and balances (${reconciled.unheard} happened without an answer); history was whole ${fine(reconciled.historySeconds)} s after the last; ${watched.books} books rebuilt from streams compared with the asked one at the same position; ${watched.events} events of accounts told once, as \`GET /events\` has them; ${watched.frames} frames without a gap or repeat asked for, ${watched.resyncs} books anew; ${watched.views} page views, p50 ${fine(watched.viewTimes.percentile(0.5))} ms, p99 ${fine(watched.viewTimes.percentile(0.99))} ms.`,
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

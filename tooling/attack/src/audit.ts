import { spawnSync } from 'node:child_process'

/** The severity from which on a package must not be shipped. */
const LEVEL = 'high'

/** The result of an audit: known vulnerabilities, or why there is no answer. */
export type Audited = { known: Record<string, number> } | { unasked: string }

/** Parses the output of the package manager's audit: JSON, or an error message. */
export function readAudit(printed: string): Audited {
  try {
    const { metadata } = JSON.parse(printed) as { metadata: { vulnerabilities: Record<string, number> } }
    return { known: metadata.vulnerabilities }
  } catch {
    return { unasked: /responded with \d+/.exec(printed)?.[0] ?? printed.trim().split('\n')[0] ?? '' }
  }
}

/** Audits the packages that are shipped. 0: nothing serious; 1: something serious; 2: there was no answer, so nothing is known. */
export function audit(say: (line: string) => void): number {
  const { stdout, stderr } = spawnSync('pnpm', ['audit', '--prod', '--audit-level', LEVEL, '--json'], { encoding: 'utf8' })
  const audited = readAudit(stdout.trim() === '' ? stderr : stdout)
  if ('unasked' in audited) {
    say(`not asked: the audit endpoint ${audited.unasked}. Nothing is known of the packages; ask from where it answers.`)
    return 2
  }
  const { high = 0, critical = 0 } = audited.known
  const counts = Object.entries(audited.known).map(([severity, count]) => `${count} ${severity}`)
  say(`${high + critical === 0 ? 'held ' : 'BROKE'}  packages that are shipped: ${counts.join(', ')}`)
  return high + critical === 0 ? 0 : 1
}

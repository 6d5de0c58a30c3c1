import { spawnSync } from 'node:child_process'

/** The severity from which on a package must not be shipped. */
const LEVEL = 'high'

/** What an audit came to: known holes, or why nobody could be asked. */
export type Audited = { known: Record<string, number> } | { unasked: string }

/** Reads what the audit of the package manager printed: JSON, or its complaint. */
export function readAudit(printed: string): Audited {
  try {
    const { metadata } = JSON.parse(printed) as { metadata: { vulnerabilities: Record<string, number> } }
    return { known: metadata.vulnerabilities }
  } catch {
    return { unasked: /responded with \d+/.exec(printed)?.[0] ?? printed.trim().split('\n')[0] ?? '' }
  }
}

/** Asks what is known of the packages that are shipped. 0: nothing serious; 1: something is; 2: nobody could be asked, so nothing is known. */
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

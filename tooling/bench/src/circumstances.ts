import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** How many processors this machine has, and which. */
export const processors = `${cpus().length} × ${cpus()[0]?.model.trim()}`
/** Where something is measured. */
export const machine = `${processors}, Node ${process.versions.node}`

/** The commit that is measured. */
export const headCommit = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim()

/** When, of what and where a report tells. */
export const circumstances = (commit: string): string =>
  `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC at ${commit} on ${machine}`

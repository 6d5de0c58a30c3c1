import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guard } from './guard.ts'

let parent: string | undefined

/** Makes an empty folder that is removed when this process ends, however it ends. Other users may enter it, as PostgreSQL's has to. */
export function temporaryFolder(name: string): string {
  if (parent === undefined) {
    parent = mkdtempSync(join(tmpdir(), 'augury-test-'))
    chmodSync(parent, 0o755)
    guard('rm -rf "$1"', [parent])
  }
  const folder = mkdtempSync(join(parent, `${name}-`))
  chmodSync(folder, 0o755)
  return folder
}

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../src/sources.ts'

// What the scripts do around PostgreSQL's programs. With the real ones they run in `npm run faults -- restored`.

/** A folder in which these programs are called instead of PostgreSQL's, each a line of shell. */
function machine(programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'augury backup ')) // a space, as some folders have
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'data/uploads'), { recursive: true })
  writeFileSync(join(folder, 'data/uploads/logo.svg'), '<svg/>')
  for (const [name, line] of Object.entries(programs)) writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  const run = (script: string, dataDir: string | null = 'data', to = 'kept') => {
    const env = {
      PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      ...(dataDir === null ? {} : { DATA_DIR: join(folder, dataDir) }),
    }
    const urls = { CLOB_DATABASE_URL: 'postgres://one/clob', DATABASE_URL: 'postgres://one/platform' }
    return spawnSync('sh', [join(root, 'deploy', script), `${folder}/${to}`], { env: { ...env, ...urls }, encoding: 'utf8' })
  }
  return { folder, run }
}

/** Writes where it was told to, as pg_dump does. */
const DUMPS = 'for word; do case $word in --file=*) echo "$*" > "$(expr "$word" : "--file=\\(.*\\)")";; esac; done'

test('a backup has its name only when it is whole', () => {
  const { folder, run } = machine({ pg_dump: `${DUMPS}; case $* in *clob) exit 1;; esac` })
  expect([run('backup.sh').status, readdirSync(folder).sort()]).toEqual([1, ['bin', 'data']])
  writeFileSync(join(folder, 'bin/pg_dump'), `#!/bin/sh\n${DUMPS}\n`)
  expect([run('backup.sh').status, readdirSync(join(folder, 'kept')).sort()]).toEqual([
    ...[0, ['SHA256SUMS', 'clob.dump', 'platform.dump', 'uploads.tar']],
  ])
  const again = run('backup.sh')
  expect([again.status, again.stderr, readdirSync(folder).sort()]).toEqual([
    1,
    expect.stringContaining('nothing was changed'),
    ['bin', 'data', 'kept'],
  ])
})

test('a restore onto a machine without a data folder makes it, and says what half of one wants', () => {
  const { folder, run } = machine({ pg_dump: DUMPS, psql: 'echo 0', pg_restore: 'exit 0' })
  expect(run('backup.sh').status).toBe(0)
  expect(run('restore.sh', 'new/data').status).toBe(0)
  expect(readFileSync(join(folder, 'new/data/uploads/logo.svg'), 'utf8')).toBe('<svg/>')
  writeFileSync(join(folder, 'bin/pg_restore'), '#!/bin/sh\ncase $* in *platform.dump) exit 1;; esac\n')
  const half = run('restore.sh')
  expect([half.status, half.stderr]).toEqual([1, expect.stringContaining('make both anew, empty, and restore again')])
})

test('a backup has the name that was meant, and none when its terminal goes before it is whole', () => {
  const { folder, run } = machine({ pg_dump: DUMPS })
  expect([run('backup.sh', 'data', 'kept/').status, readdirSync(folder).sort()]).toEqual([0, ['bin', 'data', 'kept']])
  writeFileSync(join(folder, 'bin/pg_dump'), '#!/bin/sh\nkill -HUP $PPID\n')
  expect([run('backup.sh', 'data', 'again').status, readdirSync(folder).sort()]).toEqual([1, ['bin', 'data', 'kept']])
})

test('uploads are never left out without a word', () => {
  const { folder, run } = machine({ pg_dump: DUMPS, psql: 'echo 0', pg_restore: 'touch "$(dirname "$0")/restored"' })
  expect(run('backup.sh', null, 'bare').stdout).toMatch(/^wrote .*bare, without uploads: DATA_DIR is not set\n$/)
  expect(run('restore.sh', null, 'bare').status).toBe(0)
  rmSync(join(folder, 'bin/restored'))
  expect(run('backup.sh').stdout).toMatch(/^wrote .*kept\n$/)
  const refused = run('restore.sh', null)
  expect([refused.status, refused.stderr, readdirSync(join(folder, 'bin')).includes('restored')]).toEqual([
    2,
    expect.stringContaining('DATA_DIR: must be set: the backup has uploads'),
    false,
  ])
})

test('a restore of a backup that is not whole, or was changed, touches nothing', () => {
  const { folder, run } = machine({ pg_dump: DUMPS, psql: 'echo 0', pg_restore: 'touch "$(dirname "$0")/restored"' })
  expect(run('backup.sh').status).toBe(0)
  writeFileSync(join(folder, 'kept/clob.dump'), 'another')
  expect(run('restore.sh').status).toBe(1)
  rmSync(join(folder, 'kept/clob.dump'))
  expect([run('restore.sh').status, run('restore.sh', 'data', 'nowhere').status]).toEqual([1, 2])
  expect(readdirSync(join(folder, 'bin')).sort()).toEqual(['pg_dump', 'pg_restore', 'psql'])
})

test.each([
  ['a picture that is uploaded meanwhile', 'exit 1', 0, ['SHA256SUMS', 'clob.dump', 'platform.dump', 'uploads.tar']],
  ['a folder that cannot be read', 'exit 2', 2, null],
  [
    'an archive that broke off',
    'for word; do case $word in *.tar) head -c 1100 "$word" > "$word.cut" && mv "$word.cut" "$word";; esac; done; exit 1',
    2,
    null,
  ],
])('%s ends a backup only when something is missing', (_, after, status, files) => {
  const { folder, run } = machine({
    pg_dump: DUMPS,
    tar: `/usr/bin/env PATH=/usr/bin:/bin tar "$@" || exit; case $* in *-cf*) ${after};; esac`,
  })
  expect(run('backup.sh').status).toBe(status)
  expect(readdirSync(folder).sort()).toEqual(files ? ['bin', 'data', 'kept'] : ['bin', 'data'])
  if (files) expect(readdirSync(join(folder, 'kept')).sort()).toEqual(files)
})

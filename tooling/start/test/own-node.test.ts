import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bringsNode, useThisNode } from '../own-node.mjs'

const root = mkdtempSync(join(tmpdir(), 'augury-own-node-'))
mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
afterAll(() => rmSync(root, { recursive: true }))

test.each([
  ['linux', 'x64', true],
  ['linux', 'arm64', false],
  ['darwin', 'arm64', false],
  ['darwin', 'x64', false],
])('the packages bring Node for %s %s: %s', (platform, arch, brings) => {
  const link = join(root, 'node_modules/.bin/node')
  rmSync(link, { force: true })
  symlinkSync('of-the-packages', link)
  useThisNode(root, { platform, arch, execPath: '/usr/bin/node' })
  expect([bringsNode(platform, arch), readlinkSync(link)]).toEqual([brings, brings ? 'of-the-packages' : '/usr/bin/node'])
})

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useThisNode } from './own-node.mjs'
import { step } from './progress.mjs'

/** Installs what the lock file says, unless that was done already. Returns whether there was anything to do. */
export async function install(root, dataDir) {
  const stamp = join(root, 'node_modules', '.augury-installed')
  const wanted = fingerprint(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  await step('packages', () => runInstaller(root, packageManager, join(dataDir, 'logs')))
  useThisNode(root)
  writeFileSync(stamp, wanted)
  return true
}

function fingerprint(root) {
  const hash = createHash('sha256')
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function runInstaller(root, packageManager, logs) {
  mkdirSync(logs, { recursive: true })
  const log = join(logs, 'install.log')
  const file = createWriteStream(log).on('error', () => {}) // the end of it is said below
  const child = spawn('npx', ['-y', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: '1' }, // asks nothing
  })
  let said = ''
  const hear = (chunk) => {
    said = (said + chunk).slice(-4000)
    file.write(chunk)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`npx could not be run (${error.message}). It comes with Node and npm.`)))
    child.on('close', (code) => {
      file.end()
      if (code === 0) resolve(undefined)
      else reject(new Error(`The packages could not be installed (all of it: ${log}):\n${said.trimEnd()}`))
    })
  })
}

import { readFileSync } from 'node:fs'

const POLL_MS = 200

/**
 * Calls back once when the npm (or pnpm) that runs this script is gone. It passes SIGTERM on only to its own shell, and nothing at
 * all when it is killed, so there is no other signal. Does nothing when no package manager started us, so that `nohup` works.
 */
export function whenStarterEnds(callback) {
  if (process.env.npm_lifecycle_event === undefined || process.platform !== 'linux') return
  const parent = process.ppid
  const [name, grandparent] = describe(parent)
  const watched = /^(sh|dash|bash)$/.test(name) ? [parent, grandparent] : [parent]
  const timer = setInterval(() => {
    if (watched.every(isAlive)) return
    clearInterval(timer)
    callback()
  }, POLL_MS)
  timer.unref()
}

/** Name and parent of a process. */
function describe(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const end = stat.lastIndexOf(')')
  return [stat.slice(stat.indexOf('(') + 1, end), Number(stat.slice(end + 2).split(' ')[1])]
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

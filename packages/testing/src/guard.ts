import { spawn } from 'node:child_process'

/**
 * Runs a shell script as soon as this process is gone, however it went (SIGKILL included): the script waits for the end of a pipe
 * that only this process holds. `args` are its $1, $2, … Returns the release, after which nothing runs.
 */
export function guard(script: string, args: string[]): () => void {
  const watcher = spawn('sh', ['-c', `read -r word; [ "$word" = released ] && exit 0\n${script}`, 'guard', ...args], {
    cwd: '/',
    detached: true, // its own group: a Ctrl-C meant for us must not reach it
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  const { stdin } = watcher
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  stdin.on('error', () => {}) // released twice, or the watcher was ended first
  return () => void stdin.end('released\n')
}

import { spawn } from 'node:child_process'

/**
 * Runs a shell script when this process has ended, even by SIGKILL: the script waits for the end of a pipe that only this process holds.
 * `args` are its $1, $2, … Returns a function that calls it off.
 */
export function guard(script: string, args: string[]): () => void {
  const watcher = spawn('sh', ['-c', `read -r word; [ "$word" = released ] && exit 0\n${script}`, 'guard', ...args], {
    cwd: '/',
    detached: true, // its own group, out of reach of Ctrl-C
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  const { stdin } = watcher
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  stdin.on('error', () => {}) // released twice, or the script was killed first
  return () => void stdin.end('released\n')
}

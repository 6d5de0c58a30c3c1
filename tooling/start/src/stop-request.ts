/** Calls back each time this process is asked to stop: Ctrl-C, SIGTERM, a closed terminal, or the end of the bootstrap that started it. */
export function onStopRequest(callback: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, callback)
  if (process.connected) {
    process.once('disconnect', callback)
    process.channel?.unref()
  }
  process.stdout.on('error', () => {}) // the reader is gone; stopping goes on
  process.stderr.on('error', () => {})
}

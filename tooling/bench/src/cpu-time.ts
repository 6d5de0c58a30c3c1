/** Seconds of processor time this thread has used: unlike wall time they do not grow while others have the processor. */
export function cpuSeconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

import { Worker } from 'node:worker_threads'
import type { NameFilter } from '../../base/name-filter.ts'
import type { NamesData } from './names-worker.ts'

/**
 * Adds the hashes of all client order ids that a stream's history has to a filter, in a thread of its own. Rejects when the database cannot
 * be read, and when `signal` ends it.
 */
export function readNames(databaseUrl: string, stream: string, filter: NameFilter, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const data: NamesData = { databaseUrl, stream, memory: filter.memory }
    const worker = new Worker(new URL('./names-worker.ts', import.meta.url), { workerData: data, execArgv: [] })
    const stop = () => void worker.terminate()
    signal.addEventListener('abort', stop)
    // Under `node --watch` messages about imports arrive here too.
    worker.on('message', (news) => news === 'read' && resolve())
    worker.on('error', reject)
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop)
      reject(new Error('reading the names of orders was stopped')) // does nothing when it has read them
    })
    worker.unref()
  })
}

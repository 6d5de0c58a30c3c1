import { parentPort, workerData } from 'node:worker_threads'
import { load } from './http-load.ts'

/** What the thread is started with: requests that it sends again and again, over as many connections as a load has. */
export interface GreedyData {
  port: number
  requests: readonly Uint8Array[]
}

// A client that asks for as much as it can until it is stopped, in a thread of its own, so that its work is not counted for the process that
// measures. Tells how many requests a second were answered.
const { port, requests } = workerData as GreedyData
const bytes = requests.map((request) => Buffer.from(request))
let isOver = false
parentPort!.once('message', () => {
  isOver = true
})
const begun = performance.now()
let answered = 0
while (!isOver) answered += (await load(port, bytes)).latencies.length
parentPort!.postMessage((answered * 1000) / (performance.now() - begun))

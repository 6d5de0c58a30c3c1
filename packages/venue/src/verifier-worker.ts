import { parentPort } from 'node:worker_threads'
import { verifyOrder } from '@augury/signing/order-signature'
import { recoverSigner } from '@augury/signing/recover'
import type { Answer, Task } from './verifier.ts'

/** The far side of `verifier`: checks signatures in a thread of its own. */
const port = parentPort
if (!port) throw new Error('verifier-worker runs in a worker thread')

const bytes = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex')

const check = (task: Task) =>
  task.kind === 'order'
    ? verifyOrder(task.order, task.signature, task.negRisk, task.policy)
    : recoverSigner(bytes(task.hash), bytes(task.signature))

port.on('message', async ({ id, task }: { id: number; task: Task }) => {
  let answer: Answer
  try {
    answer = { id, result: await check(task) }
  } catch (error) {
    answer = { id, error: String(error) }
  }
  port.postMessage(answer)
})

import { parentPort } from 'node:worker_threads'
import { verifyEncodedOrder } from '@augury/signing/order-signature'
import { recoverSigner } from '@augury/signing/recover'
import { type DecodedTask, decodeTasks, encodeVerdicts, type Verdict } from './verifier-batch.ts'

/** The worker thread of `verifier`. */
const port = parentPort
if (!port) throw new Error('verifier-worker runs in a worker thread')

async function check({ isOrder, signed, signature, negRisk, policy }: DecodedTask): Promise<Verdict> {
  try {
    return await (isOrder ? verifyEncodedOrder(signed, signature, negRisk, policy) : recoverSigner(signed, signature))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

port.on('message', async (tasks: ArrayBuffer) => {
  const verdicts: Verdict[] = []
  for (const task of decodeTasks(tasks)) verdicts.push(await check(task))
  const answer = encodeVerdicts(verdicts)
  port.postMessage(answer, [answer.bytes])
})

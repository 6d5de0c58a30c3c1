import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type LineOptions, openLine } from '../src/cut-line.ts'
import { eventually } from '../src/eventually.ts'

/** An echo server that sends `bye` at the end of a connection. */
const received: string[] = []
const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received.push(chunk.toString())
    socket.write(chunk)
  })
  socket.on('end', () => socket.end('bye'))
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const lineTo = async (options?: LineOptions) => {
  const line = await openLine((server.address() as AddressInfo).port, options)
  onTestFinished(() => line.close())
  return line
}

/** A client with what it received. */
async function client(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  const got = { text: '', isOver: false }
  socket.on('data', (chunk) => {
    got.text += chunk
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    got.isOver = true
  })
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return { got, send: (text: string) => socket.write(text) }
}

test('data passes both ways until the connections are cut; new ones pass unless they are refused', async () => {
  const line = await lineTo()
  const [one, other] = [await client(line.port), await client(line.port)]
  one.send('one')
  other.send('other')
  await eventually(() => expect([one.got.text, other.got.text]).toEqual(['one', 'other']))
  line.cut()
  await eventually(() => expect([one.got.isOver, other.got.isOver]).toEqual([true, true]))
  line.refuse(true)
  const refused = await client(line.port)
  await eventually(() => expect(refused.got).toEqual({ text: '', isOver: true }))
  line.refuse(false)
  const again = await client(line.port)
  again.send('again')
  await eventually(() => expect(again.got).toEqual({ text: 'again', isOver: false }))
})

test('a silenced line holds data back without closing, and delivers it in order afterwards', async () => {
  const line = await lineTo()
  const one = await client(line.port)
  line.silence(true)
  one.send('a')
  const beside = await client(line.port)
  beside.send('b')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([one.got, beside.got]).toEqual(Array(2).fill({ text: '', isOver: false }))
  line.delay(20)
  line.silence(false)
  line.delay(0)
  one.send('c')
  await eventually(() => expect([one.got.text, beside.got.text]).toEqual(['ac', 'b']))
})

test('after a half-close, data from the server still passes', async () => {
  const line = await lineTo()
  const one = await client(line.port)
  one.send('a')
  await eventually(() => expect(one.got.text).toBe('a'))
  line.halfClose()
  await eventually(() => expect(one.got.text).toBe('abye'))
})

test('a judged chunk is lost before or after the server got it, with its connection alone', async () => {
  const line = await lineTo({
    judge: (chunk) => (chunk.includes('before') ? 'cut before' : chunk.includes('after') ? 'cut after' : 'pass'),
  })
  const [before, after, spared] = [await client(line.port), await client(line.port), await client(line.port)]
  received.length = 0
  before.send('before')
  after.send('after')
  await eventually(() => expect([before.got, after.got]).toEqual(Array(2).fill({ text: '', isOver: true })))
  spared.send('spared')
  await eventually(() => expect(spared.got).toEqual({ text: 'spared', isOver: false }))
  expect(received).toEqual(['after', 'spared'])
})

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type LineOptions, openLine } from '../src/cut-line.ts'
import { eventually } from '../src/eventually.ts'

/** Answers whatever it hears, and says good-bye to who ends. */
const heard: string[] = []
const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    heard.push(chunk.toString())
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

/** A client, and what it was told. */
async function client(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  const told = { text: '', isOver: false }
  socket.on('data', (chunk) => {
    told.text += chunk
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    told.isOver = true
  })
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return { told, say: (text: string) => socket.write(text) }
}

test('a line carries what is said both ways until it is cut; whoever comes then is let in, unless nobody is', async () => {
  const line = await lineTo()
  const [one, other] = [await client(line.port), await client(line.port)]
  one.say('one')
  other.say('other')
  await eventually(() => expect([one.told.text, other.told.text]).toEqual(['one', 'other']))
  line.cut()
  await eventually(() => expect([one.told.isOver, other.told.isOver]).toEqual([true, true]))
  line.refuse(true)
  const refused = await client(line.port)
  await eventually(() => expect(refused.told).toEqual({ text: '', isOver: true }))
  line.refuse(false)
  const again = await client(line.port)
  again.say('again')
  await eventually(() => expect(again.told).toEqual({ text: 'again', isOver: false }))
})

test('silent, it carries nothing and ends nothing; late, all of it in order', async () => {
  const line = await lineTo()
  const one = await client(line.port)
  line.silence(true)
  one.say('a')
  const beside = await client(line.port)
  beside.say('b')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([one.told, beside.told]).toEqual(Array(2).fill({ text: '', isOver: false }))
  line.delay(20)
  line.silence(false)
  line.delay(0)
  one.say('c')
  await eventually(() => expect([one.told.text, beside.told.text]).toEqual(['ac', 'b']))
})

test('half of it ends: what the server still says comes through', async () => {
  const line = await lineTo()
  const one = await client(line.port)
  one.say('a')
  await eventually(() => expect(one.told.text).toBe('a'))
  line.halfClose()
  await eventually(() => expect(one.told.text).toBe('abye'))
})

test('what is judged is lost on its way or on its way back, together with its connection alone', async () => {
  const line = await lineTo({ judge: (said) => (said.includes('before') ? 'cut before' : said.includes('after') ? 'cut after' : 'pass') })
  const [before, after, spared] = [await client(line.port), await client(line.port), await client(line.port)]
  heard.length = 0
  before.say('before')
  after.say('after')
  await eventually(() => expect([before.told, after.told]).toEqual(Array(2).fill({ text: '', isOver: true })))
  spared.say('spared')
  await eventually(() => expect(spared.told).toEqual({ text: 'spared', isOver: false }))
  expect(heard).toEqual(['after', 'spared'])
})

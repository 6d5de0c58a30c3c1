import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Message = any

/** Opens a raw socket of a server, says some frames, and keeps all that it heard. */
export async function listenTo(url: string, path: string, ...frames: unknown[]) {
  const socket = new WebSocket(url.replace('http', 'ws') + path)
  const heard: Message[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const replies: Message[] = [] // what is said of the requests themselves
  socket.on('message', (data) => {
    const message = read(data.toString())
    const isReply = ['subscribed', 'error'].includes(message.event_type)
    ;(isReply ? replies : heard).push(message)
  })
  let pings = 0
  socket.on('ping', () => pings++)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  const say = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  frames.forEach(say)
  return { socket, heard, replies, closed, say, pings: () => pings, events: () => heard.flatMap((one) => one.event_type ?? []) }
}

function read(text: string): Message {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

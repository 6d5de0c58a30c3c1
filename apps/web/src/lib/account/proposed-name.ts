const KINDS =
  'amber bold brave bright calm clever cosy crisp early fair gentle happy keen kind lucky merry mild noble prompt quick quiet ready sharp sunny swift tidy warm wise'.split(
    ' ',
  )
const ANIMALS =
  'badger bear beaver crane deer dolphin eagle falcon finch fox gecko hare heron ibis koala lark lynx marten otter owl panda puffin raven robin seal stork swan tern wolf wren'.split(
    ' ',
  )

/** A name to begin with: two words and three digits, which nobody has to keep. */
export function proposedName(): string {
  const [kind = 0, animal = 0, digits = 0] = crypto.getRandomValues(new Uint32Array(3))
  return `${KINDS[kind % KINDS.length]}_${ANIMALS[animal % ANIMALS.length]}_${100 + (digits % 900)}`
}

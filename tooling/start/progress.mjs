const FIRST_TELL_MS = 5_000
const TELL_EVERY_MS = 30_000

/**
 * Does a piece of work and prints one line when it is done, with how long it took; before that, now and then, that it
 * goes on.
 * What the work resolves with, when it is a text, is printed beside its name; meanwhile it may tell how far it is.
 *
 * @template Result
 * @param {string} name
 * @param {(tell: (detail: string) => void) => Promise<Result>} work
 * @param {() => boolean} [wentWell] asked at the end, of work that does not throw what is wrong
 * @returns {Promise<Result>}
 */
export async function step(name, work, wentWell = () => true) {
  const begun = Date.now()
  const seconds = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`
  let told = ''
  const tell = () => {
    console.log(`  … ${name.padEnd(20)} ${told.padEnd(44)} ${seconds().padStart(7)}`)
    timer = setTimeout(tell, Math.min(Date.now() - begun, TELL_EVERY_MS))
  }
  let timer = setTimeout(tell, FIRST_TELL_MS)
  try {
    const result = await work((detail) => {
      told = detail
    })
    const detail = typeof result === 'string' ? result : ''
    console.log(`  ${wentWell() ? '✓' : '✗'} ${name.padEnd(20)} ${detail.padEnd(44)} ${seconds().padStart(7)}`)
    return result
  } catch (error) {
    console.log(`  ✗ ${name.padEnd(20)} ${''.padEnd(44)} ${seconds().padStart(7)}`)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

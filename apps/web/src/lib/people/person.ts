/** A person who may have a name. */
interface Person {
  username: string | null
  address: string
}

/** An address in few letters: "0x1234…abcd". */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Returns the path of a person's drawn picture. */
export const markOf = ({ username, address }: Person): string =>
  `/art/1/${username === null ? `a_${address.toLowerCase()}` : `u_${username}`}.svg`

/** Returns a person's name, or their short address. */
export const nameOf = ({ username, address }: Person): string => username ?? shortAddress(address)

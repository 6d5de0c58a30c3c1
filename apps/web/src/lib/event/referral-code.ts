/** A member's referral code. */
export const CODE = /^[a-z0-9]{6,32}$/

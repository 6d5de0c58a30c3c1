/** The market, the member and the order that all examples are about. */

export const condition = '0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1'
/** What the markets of an event with one winner have in common. */
export const negRiskMarket = '0x8c1ae5f74e2d6b03a9f7c6d5e4b3a29180716253443526178695a4b3c2d1e000'
export const yes = '60487116984468020978247225474488676749601001829886755968952521846780452448915'
export const no = '81104637750588840860328515305303028259865221573278091453716127842023614249200'
export const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const operator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const apiKey = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
export const orderId = '0xd2c49f1a4a0b3f0c1f4e5a6b7c8d9e0f11223344556677889900aabbccddeeff'
export const makerOrderId = '0x0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9'
export const transaction = '0x9c3f0b3a6a0dd1c1a0d5f6b7a89c0e1d2f3a4b5c6d7e8f90112233445566778a'
export const tradeId = '4211-0'
export const marketSlug = 'rain-in-lisbon-on-new-years-day'
export const question = 'Will it rain in Lisbon on New Year’s Day?'

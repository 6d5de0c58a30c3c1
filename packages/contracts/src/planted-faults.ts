/** A fault to plant: in a file of `contracts`, one text becomes another. */
export interface Fault {
  name: string
  file: string
  from: string
  to: string
}

/** Faults that would each lose members' money, or lock it up. */
export const faults: readonly Fault[] = [
  {
    name: 'a reference is paid twice',
    file: 'Payments.sol',
    from: 'if (refState[ref] != RefState.NONE) revert RefUsed(ref);',
    to: '',
  },
  {
    name: 'a third unsettled payment forgets the first',
    file: 'Payments.sol',
    from: 'if (newest.number1 > settled) revert TooManyUnsettled(account);',
    to: 'settled;',
  },
  {
    name: 'the limit is off by one second',
    file: 'Payments.sol',
    from: 'batchOf[next].at + WINDOW > block.timestamp',
    to: 'batchOf[next].at + WINDOW - 1 > block.timestamp',
  },
  {
    name: 'a failed payment counts as paid',
    file: 'Payments.sol',
    from: 'return ok && answer.length == 32 && uint256(bytes32(answer)) == 1;',
    to: 'return ok || answer.length > 0;',
  },
  {
    name: 'little gas makes a payment fail',
    file: 'Payments.sol',
    from: 'if (gasleft() < TRANSFER_GAS * 64 / 63 + 10_000) revert NotEnoughGas();',
    to: '',
  },
  {
    name: 'an exit does not deduct what was paid since',
    file: 'Exits.sol',
    from: 'uint256 due = proof.amount > deducted ? proof.amount - deducted : 0;',
    to: 'uint256 due = proof.amount; deducted;',
  },
  {
    name: 'an exit deducts what the root includes',
    file: 'Exits.sol',
    from: '_paidAfter(msg.sender, _settledPayments(), false)',
    to: '_paidAfter(msg.sender, 0, false)',
  },
  {
    name: 'a leaf exits again and again',
    file: 'Exits.sol',
    from: 'claimed[key] = before + paid;',
    to: '',
  },
  {
    name: 'a deposit within the root is refunded too',
    file: 'Exits.sol',
    from: 'number <= roots[lastRoot].deposits || number > depositCount',
    to: 'number > depositCount',
  },
  {
    name: 'a refund goes to the named address',
    file: 'Exits.sol',
    from: '|| depositOf[number].party != _party(account, from)',
    to: '|| account == address(0)',
  },
  {
    name: 'a No pays as a Yes',
    file: 'Exits.sol',
    from: 'proof.outcome == 0 ? stored - 1 : ONE - (stored - 1)',
    to: 'stored - 1',
  },
  {
    name: 'a condition is settled twice',
    file: 'Exits.sol',
    from: 'if (weightOf[condition] != 0) revert AlreadySettled();',
    to: '',
  },
  {
    name: 'a root may owe less than what came in',
    file: 'Roots.sol',
    from: 'if (next.custody != custody ||',
    to: 'if (next.custody > custody ||',
  },
  {
    name: 'a vetoed root stands',
    file: 'Roots.sol',
    from: 'lastRoot = roots[n].previous;',
    to: '',
  },
  {
    name: 'payments go on after a veto',
    file: 'Roots.sol',
    from: '        halted = true;\n',
    to: '',
  },
  {
    name: 'a path need not be used up',
    file: 'StateTree.sol',
    from: 'if (used != path.length) revert BadPath();',
    to: '',
  },
  {
    name: 'sums have no bound',
    file: 'StateTree.sol',
    from: 'if (sum > MAX_AMOUNT) revert BadPath();',
    to: '',
  },
  {
    name: 'a payment to anybody serves a demand',
    file: 'Payments.sol',
    from: 'newest.number2 > number && (!own || newest.own2)',
    to: 'newest.number2 > number',
  },
  {
    name: 'an old root refutes a demand',
    file: 'Demands.sol',
    from: 'if (roots[lastRoot].postedAt <= at) revert NotRefuted();',
    to: 'at;',
  },
  {
    name: 'an old allowance is enough for a stranger',
    file: 'Deposits.sol',
    from: 'if (msg.sender != owner) revert PermitRefused();',
    to: '',
  },
]

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Deposits} from "./Deposits.sol";
import {Payments} from "./Payments.sol";
import {StateTree} from "./StateTree.sol";
import {Root} from "./Types.sol";

/// @title Posted roots
/// @notice The operator posts what the exchange owes. The contract checks that it equals what came in less what was paid.
abstract contract Roots is Deposits, Payments {
    struct Posted {
        bytes32 root;
        bytes32 weights;
        uint48 seq;
        /// Number of the root before it.
        uint40 previous;
        uint40 postedAt;
        uint48 deposits;
        uint48 payments;
        uint32 assets;
    }

    /// @notice After so long without a root, anybody may freeze. So long the guardian can veto a root.
    uint256 public constant PERIOD = 7 days;

    mapping(uint256 n => Posted) public roots;

    event RootPosted(
        uint256 indexed n, uint256 seq, uint256 custody, bytes32 root, bytes32 weights, bytes32 hash
    );
    event RootVetoed(uint256 indexed n, uint256 standing);

    error OutOfOrder();
    error NotABatch();
    error WrongCustody(uint256 expected);
    error EmptyRoot();
    error NotStanding();
    error TooLate();

    constructor() {
        roots[0].postedAt = uint40(block.timestamp);
    }

    /// @notice Posts a root. Operator. The same `seq` may come again with a higher `n`: a quiet exchange stays alive so.
    function post(Root calldata next) external onlyOperator working {
        (uint40 n, uint48 deposits, uint48 payments) = (next.n, next.deposits, next.payments);
        Posted storage last = roots[lastRoot];
        if (
            n <= lastPosted || next.seq < last.seq || deposits < last.deposits || payments < last.payments
                || deposits > depositCount || payments > paymentCount
        ) revert OutOfOrder();
        Batch storage batch = batchOf[payments];
        if (payments != 0 && batch.at == 0) revert NotABatch();
        uint256 custody = depositTotal(deposits) - batch.total;
        if (next.custody != custody || custody > StateTree.MAX_AMOUNT) revert WrongCustody(custody);
        if ((next.assets == 0) != (custody == 0) || (next.root == 0) != (custody == 0)) revert EmptyRoot();

        Posted storage posted = roots[n];
        posted.root = next.root;
        posted.weights = next.weights;
        // The other fields in one write, in the order of the struct. The compiler would write each of them.
        uint256 fields = next.seq | uint256(lastRoot) << 48 | block.timestamp << 88 | uint256(deposits) << 128
            | uint256(payments) << 176 | uint256(next.assets) << 224;
        assembly ("memory-safe") {
            sstore(add(posted.slot, 2), fields)
        }
        lastRoot = n;
        lastPosted = n;
        emit RootPosted(n, next.seq, custody, next.root, next.weights, next.hash);
    }

    /// @notice Cancels a root that stands and all after it, and halts the vault. Guardian, within `PERIOD` of the root.
    /// @dev Walks back from the last root. When that takes too much gas, veto a later root first.
    function veto(uint256 n) external onlyGuardian notFrozen {
        uint256 at = lastRoot;
        while (at > n) at = roots[at].previous;
        if (at != n || n == 0) revert NotStanding();
        if (block.timestamp > roots[n].postedAt + PERIOD) revert TooLate();
        lastRoot = roots[n].previous;
        halted = true;
        emit RootVetoed(n, lastRoot);
    }

    function _settledPayments() internal view override returns (uint256) {
        return roots[lastRoot].payments;
    }
}

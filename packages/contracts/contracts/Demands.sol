// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Roots} from "./Roots.sol";
import {StateTree} from "./StateTree.sol";
import {Leaf, Step} from "./Types.sol";

/// @title Demands and the freeze
/// @notice A member can demand a withdrawal on chain. It must be paid, or refuted by a later root, within `DEMAND_PERIOD`: otherwise anybody
/// may freeze the vault.
abstract contract Demands is Roots {
    struct Demand {
        uint64 amount;
        uint40 at;
        /// Number of the last payment before the demand.
        uint48 number;
        /// The account's pseudonym in the USDC tree.
        bytes32 holder;
    }

    uint256 public constant DEMAND_PERIOD = 3 days;
    /// @notice What a demand costs, in wei. The operator gets it when the demand is answered, the member when it is not.
    uint256 public immutable demandFee;

    mapping(address account => Demand) public demandOf;

    event Demanded(address indexed account, uint256 amount, bytes32 holder);
    event DemandServed(address indexed account);
    event DemandRefuted(address indexed account);
    event FeeSent(address indexed to, uint256 amount);
    event Frozen(uint256 indexed n);

    error DemandOpen();
    error NoDemand();
    error WrongFee();
    error NotServed();
    error NotRefuted();
    error TooEarly();

    constructor(Config memory config) {
        demandFee = config.demandFee;
    }

    /// @notice Demands that an amount be paid to the caller, who is the account. `holder` is the account's pseudonym in the USDC tree:
    /// with a false one the demand is refuted.
    function demand(uint256 amount, bytes32 holder) external payable nonReentrant notFrozen {
        if (msg.value != demandFee) revert WrongFee();
        if (demandOf[msg.sender].amount != 0) revert DemandOpen();
        // A limit of nothing must not forbid demands: who lowers it would keep members in for ever.
        uint256 most = limit > minDeposit ? limit : minDeposit;
        if (amount < minDeposit || amount > most || amount > StateTree.MAX_AMOUNT) revert BadAmount();
        demandOf[msg.sender] = Demand(uint64(amount), uint40(block.timestamp), paymentCount, holder);
        emit Demanded(msg.sender, amount, holder);
    }

    /// @notice Closes a demand that was paid since, to the account itself, in at most two payments. Anybody.
    function serve(address account) external nonReentrant notFrozen {
        Demand memory open = _open(account);
        if (_paidAfter(account, open.number, true) < open.amount) revert NotServed();
        _answer(account);
        emit DemandServed(account);
    }

    /// @notice Closes a demand above what the account has by a root posted later. Anybody.
    function refute(address account, Leaf calldata leaf, uint64 holders, uint64 place, Step[] calldata top)
        external
        nonReentrant
        notFrozen
    {
        Demand memory open = _open(account);
        if (leaf.holder != open.holder || leaf.amount >= open.amount) revert NotRefuted();
        _checkLater(open.at);
        _checkLeaf(leaf, holders, place, top);
        _answer(account);
        emit DemandRefuted(account);
    }

    /// @notice Closes a demand of a pseudonym that no leaf of a root posted later has. Leaves are sorted: two neighbours show it, or the
    /// first leaf, or the last. Anybody.
    function refuteAbsent(
        address account,
        Leaf[] calldata neighbours,
        uint64 holders,
        uint64 place,
        Step[] calldata top
    ) external nonReentrant notFrozen {
        Demand memory open = _open(account);
        _checkLater(open.at);
        if (neighbours.length == 0 || neighbours.length > 2) revert NotRefuted();
        Leaf calldata first = neighbours[0];
        _checkLeaf(first, holders, place, top);
        if (neighbours.length == 2) {
            Leaf calldata second = neighbours[1];
            _checkLeaf(second, holders, place, top);
            if (second.index != first.index + 1 || first.holder >= open.holder || second.holder <= open.holder) {
                revert NotRefuted();
            }
        } else {
            bool isBefore = first.index == 0 && open.holder < first.holder;
            bool isAfter = first.index == holders - 1 && open.holder > first.holder;
            if (!isBefore && !isAfter) revert NotRefuted();
        }
        _answer(account);
        emit DemandRefuted(account);
    }

    /// @notice Freezes the vault when the root that stands is older than `PERIOD`. Anybody.
    function freeze() external nonReentrant notFrozen {
        if (block.timestamp <= roots[lastRoot].postedAt + PERIOD) revert TooEarly();
        _freeze();
    }

    /// @notice Freezes the vault when a demand is overdue, and returns its fee to the member. Anybody.
    function freezeFor(address account) external nonReentrant notFrozen {
        Demand memory open = _open(account);
        if (block.timestamp <= open.at + DEMAND_PERIOD) revert TooEarly();
        delete demandOf[account];
        _freeze();
        _sendFee(account);
    }

    function _freeze() private {
        frozenAt = uint40(block.timestamp);
        emit Frozen(lastRoot);
    }

    function _open(address account) private view returns (Demand memory open) {
        open = demandOf[account];
        if (open.amount == 0) revert NoDemand();
    }

    function _checkLater(uint256 at) private view {
        if (roots[lastRoot].postedAt <= at) revert NotRefuted();
    }

    /// @dev Reverts unless a leaf is in the USDC tree of the last root.
    function _checkLeaf(Leaf calldata leaf, uint64 holders, uint64 place, Step[] calldata top) private view {
        (bytes32 total, uint256 sum) = StateTree.rootOf(leaf.holder, leaf.amount, leaf.index, holders, leaf.path);
        _checkAsset(StateTree.assetOf(0, 0, holders, total, sum), place, top);
    }

    /// @dev Reverts unless an asset is in the tree of the last root.
    function _checkAsset(bytes32 asset, uint256 place, Step[] calldata top) internal view {
        Posted storage last = roots[lastRoot];
        (bytes32 root, uint256 sum) = StateTree.rootOf(asset, 0, place, last.assets, top);
        if (root != last.root || sum != 0) revert StateTree.BadPath();
    }

    function _answer(address account) private {
        delete demandOf[account];
        _sendFee(operator);
    }

    /// @dev A receiver that refuses the fee loses it, and holds nothing up.
    function _sendFee(address to) private {
        if (demandFee == 0) return;
        (bool ok,) = to.call{value: demandFee, gas: 50_000}("");
        emit FeeSent(to, ok ? demandFee : 0);
    }
}

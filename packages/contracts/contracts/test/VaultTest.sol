// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depositor, DepositorFactory} from "../Depositor.sol";
import {Governed} from "../Governed.sol";
import {IResolver} from "../IResolver.sol";
import {Leaf, Payment, Proof, Root, Step} from "../Types.sol";
import {Vault} from "../Vault.sol";
import {MoodyUSDC} from "./MoodyUSDC.sol";
import {Trees} from "./Trees.sol";
import {Vm} from "./Vm.sol";

contract Results is IResolver {
    mapping(bytes32 => uint256) public results;

    function report(bytes32 condition, uint256 weight) external {
        results[condition] = weight + 1;
    }

    function resultOf(bytes32 condition) external view returns (bool, uint256) {
        uint256 stored = results[condition];
        return (stored != 0, stored == 0 ? 0 : stored - 1);
    }
}

/// @notice A vault, its roles and three members, with the calls that tests share.
abstract contract VaultTest {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    uint256 internal constant USDC = 1e6;
    uint256 internal constant FEE = 0.001 ether;
    address internal constant OPERATOR = address(0x0ee1);
    address internal constant GUARDIAN = address(0x9a4d);
    address internal constant TIMELOCK = address(0x71e1);
    address internal constant STRANGER = address(0x57a6);
    address internal constant ANN = address(0xa001);
    address internal constant BOB = address(0xb002);
    address internal constant CAT = address(0xc003);

    MoodyUSDC internal token;
    Vault internal vault;
    Results internal results;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        token = new MoodyUSDC();
        results = new Results();
        vault = new Vault(_config());
    }

    function _config() internal view returns (Governed.Config memory) {
        return Governed.Config({
            token: token,
            operator: OPERATOR,
            guardian: GUARDIAN,
            timelock: TIMELOCK,
            resolver: results,
            limit: 1_000 * USDC,
            minDeposit: USDC,
            demandFee: FEE
        });
    }

    function _eq(uint256 a, uint256 b, string memory what) internal pure {
        require(a == b, what);
    }

    /// @dev Calls the vault as somebody and demands that it refuses with an error.
    function _refused(address caller, bytes memory call, bytes4 selector) internal {
        _refusedWith(caller, 0, call, selector);
    }

    function _refusedWith(address caller, uint256 wei_, bytes memory call, bytes4 selector) internal {
        vm.deal(caller, caller.balance + wei_);
        vm.prank(caller);
        (bool ok, bytes memory answer) = address(vault).call{value: wei_}(call);
        require(!ok, "was not refused");
        require(bytes4(answer) == selector, "refused with another error");
    }

    function _deposit(address account, uint256 amount) internal {
        token.mint(account, amount);
        vm.prank(account);
        token.approve(address(vault), amount);
        vm.prank(account);
        vault.deposit(account, amount);
    }

    function _payment(bytes32 ref, address account, address to, uint256 amount)
        internal
        pure
        returns (Payment[] memory list)
    {
        list = new Payment[](1);
        list[0] = Payment(ref, account, to, amount);
    }

    function _pay(bytes32 ref, address account, uint256 amount) internal {
        vm.prank(OPERATOR);
        vault.pay(_payment(ref, account, account, amount));
    }

    function _salt(address account) internal pure returns (bytes32) {
        return keccak256(abi.encode("salt", account));
    }

    function _holder(address account, bytes32 condition, uint8 outcome) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(_salt(account), account, condition, outcome));
    }

    /// @dev An asset held by these accounts.
    function _asset(bytes32 condition, uint8 outcome, address[] memory accounts, uint64[] memory amounts)
        internal
        pure
        returns (Trees.Asset memory asset)
    {
        uint256 count = 0;
        for (uint256 i = 0; i < accounts.length; i++) {
            if (amounts[i] != 0) count++;
        }
        asset = Trees.Asset(condition, outcome, new bytes32[](count), new uint64[](count));
        count = 0;
        for (uint256 i = 0; i < accounts.length; i++) {
            if (amounts[i] == 0) continue;
            asset.holders[count] = _holder(accounts[i], condition, outcome);
            asset.amounts[count++] = amounts[i];
        }
        Trees.sort(asset);
    }

    function _proof(address account, Trees.Asset[] memory assets, uint256 place)
        internal
        pure
        returns (Proof memory proof)
    {
        Trees.Asset memory asset = assets[place];
        bytes32 holder = _holder(account, asset.condition, asset.outcome);
        uint256 index = 0;
        while (asset.holders[index] != holder) index++;
        proof = Proof({
            condition: asset.condition,
            outcome: asset.outcome,
            salt: _salt(account),
            amount: asset.amounts[index],
            index: uint64(index),
            holders: uint64(asset.holders.length),
            place: uint64(place),
            path: Trees.pathOf(Trees.leavesOf(asset), index),
            top: Trees.pathOf(Trees.topsOf(assets), place)
        });
    }

    /// @dev The root that an honest operator posts next: all deposits and payments included.
    function _root(Trees.Asset[] memory assets, bytes32 weights) internal view returns (Root memory) {
        (uint48 payments, uint48 deposits) = (vault.paymentCount(), uint48(vault.depositCount()));
        (,, uint96 paid) = vault.batchOf(payments);
        return Root({
            n: vault.lastPosted() + 1,
            seq: 1,
            at: 0,
            deposits: deposits,
            payments: payments,
            assets: uint32(assets.length),
            custody: uint64(vault.depositTotal(deposits) - paid),
            root: assets.length == 0 ? bytes32(0) : Trees.rootOf(Trees.topsOf(assets)).hash,
            weights: weights,
            hash: bytes32(0)
        });
    }

    function _post(Root memory root) internal {
        vm.prank(OPERATOR);
        vault.post(root);
    }

    /// @dev USDC of the three members, as the only asset.
    function _cash(uint256 ann, uint256 bob, uint256 cat) internal pure returns (Trees.Asset[] memory assets) {
        address[] memory accounts = new address[](3);
        (accounts[0], accounts[1], accounts[2]) = (ANN, BOB, CAT);
        uint64[] memory amounts = new uint64[](3);
        (amounts[0], amounts[1], amounts[2]) = (uint64(ann), uint64(bob), uint64(cat));
        assets = new Trees.Asset[](1);
        assets[0] = _asset(0, 0, accounts, amounts);
    }

    function _leaf(Trees.Asset memory asset, uint256 index) internal pure returns (Leaf memory) {
        return Leaf(
            asset.holders[index],
            asset.amounts[index],
            uint64(index),
            Trees.pathOf(Trees.leavesOf(asset), index)
        );
    }

    function _freeze() internal {
        vm.warp(block.timestamp + 7 days + 1);
        vault.freeze();
    }
}

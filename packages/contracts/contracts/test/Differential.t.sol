// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Governed} from "../Governed.sol";
import {StateTree} from "../StateTree.sol";
import {Proof, Step} from "../Types.sol";
import {Vault} from "../Vault.sol";
import {VaultTest} from "./VaultTest.sol";

/// @notice The vault, with a root put in place by a test.
contract OpenVault is Vault {
    constructor(Config memory config) Vault(config) {}

    function place(bytes32 root, uint32 assets, bytes32 weights) external {
        roots[1].root = root;
        roots[1].assets = assets;
        roots[1].weights = weights;
        (lastRoot, frozenAt) = (1, 1);
    }

    function check(Proof calldata proof) external view returns (bytes32) {
        return _check(proof);
    }
}

/// @notice Roots and proofs that the TypeScript of packages/signing made. Each line of a file is one, ABI-encoded, as hex digits.
contract DifferentialTest is VaultTest {
    string private constant ROOTS = "build/fixtures/roots.txt";
    string private constant WEIGHTS = "build/fixtures/weights.txt";

    OpenVault private open;

    function setUp() public override {
        super.setUp();
        open = new OpenVault(_config());
    }

    function test_every_proof_of_typescript_is_taken_and_every_forged_field_refused() public {
        uint256 count = 0;
        for (string memory line = vm.readLine(ROOTS); bytes(line).length > 0; line = vm.readLine(ROOTS)) {
            (bytes32 root, uint32 assets, address account, Proof memory proof) =
                abi.decode(vm.parseBytes(line), (bytes32, uint32, address, Proof));
            open.place(root, assets, 0);
            require(_takes(account, proof), "an honest proof is refused");
            _forge(account, proof);
            count++;
        }
        vm.closeFile(ROOTS);
        _eq(count, 1_000, "a thousand roots");
    }

    function test_every_weight_of_typescript_is_taken_and_every_forged_field_refused() public {
        uint256 count = 0;
        vm.warp(block.timestamp + 30 days);
        for (string memory line = vm.readLine(WEIGHTS); bytes(line).length > 0; line = vm.readLine(WEIGHTS)) {
            (bytes32 commitment, bytes32 condition, uint64 weight, uint64 index, uint64 conditions, Step[] memory path) =
                abi.decode(vm.parseBytes(line), (bytes32, bytes32, uint64, uint64, uint64, Step[]));
            open.place(0, 0, commitment);
            _noWeight(bytes32(uint256(condition) ^ 1), weight, index, conditions, path);
            _noWeight(condition, weight ^ 1, index, conditions, path);
            _noWeight(condition, weight, index + 1, conditions, path);
            _noWeight(condition, weight, index, conditions + 1, path);
            if (path.length > 0) {
                path[0].sum ^= 1;
                _noWeight(condition, weight, index, conditions, path);
                path[0].sum ^= 1;
            }
            open.settleVoid(condition, weight, index, conditions, path);
            _eq(open.weightOf(condition), weight + 1, "the weight");
            count++;
        }
        vm.closeFile(WEIGHTS);
        _eq(count, 200, "two hundred trees");
    }

    function _noWeight(bytes32 condition, uint64 weight, uint64 index, uint64 conditions, Step[] memory path) private {
        try open.settleVoid(condition, weight, index, conditions, path) {
            revert("a forged weight is taken");
        } catch (bytes memory answer) {
            require(bytes4(answer) == StateTree.BadPath.selector, "refused with another error");
        }
    }

    function _takes(address account, Proof memory proof) private returns (bool ok) {
        bytes memory answer;
        vm.prank(account);
        (ok, answer) = address(open).call(abi.encodeCall(open.check, (proof)));
        require(ok || bytes4(answer) == StateTree.BadPath.selector, "refused with another error");
    }

    /// @dev Changes one field after the other, and back.
    function _forge(address account, Proof memory proof) private {
        require(!_takes(address(uint160(account) ^ 1), proof), "another account");
        proof.condition = bytes32(uint256(proof.condition) ^ 1);
        require(!_takes(account, proof), "condition");
        proof.condition = bytes32(uint256(proof.condition) ^ 1);
        proof.outcome ^= 1;
        require(!_takes(account, proof), "outcome");
        proof.outcome ^= 1;
        proof.salt = bytes32(uint256(proof.salt) ^ 1);
        require(!_takes(account, proof), "salt");
        proof.salt = bytes32(uint256(proof.salt) ^ 1);
        proof.amount ^= 1;
        require(!_takes(account, proof), "amount");
        proof.amount ^= 1;
        proof.index ^= 1;
        require(!_takes(account, proof), "index");
        proof.index ^= 1;
        proof.holders += 1;
        require(!_takes(account, proof), "holders");
        proof.holders -= 1;
        proof.place ^= 1;
        require(!_takes(account, proof), "place");
        proof.place ^= 1;
        (Step[] memory path, Step[] memory top) = (proof.path, proof.top);
        _forgeSteps(account, proof, path);
        _forgeSteps(account, proof, top);
        proof.path = _longer(path);
        require(!_takes(account, proof), "a longer path");
        proof.path = path;
        proof.top = _longer(top);
        require(!_takes(account, proof), "a longer top");
        proof.top = _shorter(top);
        require(top.length == 0 || !_takes(account, proof), "a shorter top");
        proof.top = top;
        proof.path = _shorter(path);
        require(path.length == 0 || !_takes(account, proof), "a shorter path");
    }

    function _forgeSteps(address account, Proof memory proof, Step[] memory steps) private {
        for (uint256 i = 0; i < steps.length; i++) {
            steps[i].hash = bytes32(uint256(steps[i].hash) ^ 1);
            require(!_takes(account, proof), "a hash");
            steps[i].hash = bytes32(uint256(steps[i].hash) ^ 1);
            steps[i].sum ^= 1;
            require(!_takes(account, proof), "a sum");
            steps[i].sum ^= 1;
        }
    }

    function _longer(Step[] memory steps) private pure returns (Step[] memory longer) {
        longer = new Step[](steps.length + 1);
        for (uint256 i = 0; i < steps.length; i++) {
            longer[i] = steps[i];
        }
    }

    function _shorter(Step[] memory steps) private pure returns (Step[] memory shorter) {
        if (steps.length == 0) return steps;
        shorter = new Step[](steps.length - 1);
        for (uint256 i = 0; i < shorter.length; i++) {
            shorter[i] = steps[i];
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title USDC for local chains
/// @notice Anybody mints it, so it is worth nothing. It refuses to exist on chains where money is real.
contract TestUSDC is ERC20, ERC20Permit {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice Whether a nonce of an authorization was used.
    mapping(address from => mapping(bytes32 nonce => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    error RealChain();
    error NotPayee();
    error NotNow();
    error NonceUsed();
    error BadSignature();

    constructor() ERC20("Test USDC", "USDC") ERC20Permit("Test USDC") {
        uint256 id = block.chainid;
        if (id == 1 || id == 10 || id == 137 || id == 8453 || id == 42161) revert RealChain();
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Mints money that is worth nothing. Anybody.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice Transfers by the signature of the owner (EIP-3009). Anybody may send it.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 message = keccak256(
            abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        _authorized(message, from, validAfter, validBefore, nonce, v, r, s);
        _transfer(from, to, value);
    }

    /// @notice Transfers to the caller by the signature of the owner (EIP-3009).
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (to != msg.sender) revert NotPayee();
        bytes32 message = keccak256(
            abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        _authorized(message, from, validAfter, validBefore, nonce, v, r, s);
        _transfer(from, to, value);
    }

    function _authorized(
        bytes32 message,
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) private {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) revert NotNow();
        if (authorizationState[from][nonce]) revert NonceUsed();
        if (ECDSA.recover(_hashTypedDataV4(message), v, r, s) != from) revert BadSignature();
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }
}

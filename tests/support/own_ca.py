"""A certificate authority of a test's own, and what a server at 127.0.0.1 proves itself with."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class OwnCa:
    """An authority that nobody knows but who is given its file.

    Args:
        folder: gets `ca.pem`, the authority's certificate, and the server's certificate and key.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.file = folder / "ca.pem"
        key = ec.generate_private_key(ec.SECP256R1())
        own = _certificate("An authority of the tests", key.public_key(), is_ca=True)
        certificate = own.sign(key, hashes.SHA256())
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        server_key = ec.generate_private_key(ec.SECP256R1())
        server = _certificate("127.0.0.1", server_key.public_key(), issuer=certificate).sign(key, hashes.SHA256())
        chain = folder / "server.pem"
        chain.write_bytes(
            server.public_bytes(serialization.Encoding.PEM)
            + server_key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(chain)


def _certificate(
    name: str, key: ec.EllipticCurvePublicKey, *, is_ca: bool = False, issuer: x509.Certificate | None = None
) -> x509.CertificateBuilder:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )
    usage = x509.KeyUsage(
        digital_signature=not is_ca, key_cert_sign=is_ca, crl_sign=is_ca, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    builder = builder.add_extension(usage, critical=True)
    if issuer is None:
        return builder
    known_as = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    by = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return builder.add_extension(known_as, critical=False).add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(by), critical=False
    )

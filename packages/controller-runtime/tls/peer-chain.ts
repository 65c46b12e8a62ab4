import type { X509Certificate } from 'node:crypto';
import { connect as connectTcp, isIP } from 'node:net';
import { Duplex, Transform } from 'node:stream';
import { connect } from 'node:tls';
import { attempt } from '../timing/attempt';

/** A TLS server. */
export interface TlsServer {
  /** IP address. */
  readonly host: string;
  readonly port: number;
  /** Name to ask for (SNI). */
  readonly serverName: string;
}

/** Limits of {@link readPeerChain}. */
export interface PeerChainLimits {
  readonly timeoutMs: number;
  /**
   * Maximum number of bytes to read. OpenSSL verifies the signatures of a whole chain on the thread that receives it,
   * so this also limits the CPU time that a server can use up.
   */
  readonly mostBytes: number;
}

/**
 * Groups of key exchange in the order of preference. Without the large post-quantum shares, a ClientHello has less than
 * 512 bytes, so that a proxy that looks for its SNI finds it in one read.
 */
const CURVES = 'X25519:P-256:P-384';

/**
 * Reads the certificates that a TLS 1.3 server presents, its own first, in the order sent. Trusts none of them,
 * presents none, and closes the connection after the handshake.
 * @throws if there is no handshake within the limits
 */
export async function readPeerChain(
  server: TlsServer,
  { timeoutMs, mostBytes }: PeerChainLimits,
  signal: AbortSignal,
): Promise<readonly X509Certificate[]> {
  // Node would resolve a host name, but callers do not expect DNS requests.
  if (isIP(server.host) === 0) throw new Error(`${server.host} is not an IP address`);
  return await attempt({ signal, timeoutMs }, (own) => handshake(server, mostBytes, own));
}

function handshake(
  { host, port, serverName }: TlsServer,
  mostBytes: number,
  signal: AbortSignal,
): Promise<readonly X509Certificate[]> {
  return new Promise((resolve, reject) => {
    const tcp = connectTcp({ host, port });
    const limited = tcp.pipe(limit(mostBytes));
    const tls = connect({
      socket: Duplex.from({ readable: limited, writable: tcp }),
      servername: serverName,
      minVersion: 'TLSv1.3',
      ecdhCurve: CURVES,
      rejectUnauthorized: false,
    });
    const end = (error?: Error): void => {
      for (const stream of [tls, limited, tcp]) stream.destroy();
      if (error !== undefined) reject(error);
    };
    for (const stream of [tcp, limited, tls]) stream.on('error', end);
    tcp.on('close', () => end(new Error('the server closed the connection')));
    signal.addEventListener('abort', () => end(new Error('aborted', { cause: signal.reason })), { once: true });
    tls.once('secureConnect', () => {
      resolve(chainOf(tls.getPeerX509Certificate()));
      end();
    });
  });
}

function limit(mostBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      if (bytes > mostBytes) done(new Error('the server sends too much'));
      else done(null, chunk);
    },
  });
}

function chainOf(first: X509Certificate | undefined): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let one = first; one !== undefined; one = one.issuerCertificate) chain.push(one);
  return chain;
}

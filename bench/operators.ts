import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Cluster } from '#test/support/cluster/cluster';
import { installOperator, type OperatorInstallation } from '#test/support/operator/operator-installation';

/** A running operator. */
export interface RunningOperator {
  readonly pid: number;
  readonly webhookPort: number;
  stop(): Promise<void>;
}

/** An operator to measure. */
export interface Operator {
  readonly name: string;
  start(): Promise<RunningOperator>;
}

/** Installs the namespaces and certificates that all operators share. */
export function installation(cluster: Cluster): Promise<OperatorInstallation> {
  return installOperator(cluster, { webhooks: true });
}

/** This repository's operator, bundled as in clusters. */
export function ourOperator(installed: OperatorInstallation): Operator {
  return {
    name: 'ours',
    start: async () => {
      const { pid, webhookPort = 0, stop } = await installed.start(['--leader-elect']);
      return { pid, webhookPort, stop };
    },
  };
}

/** The binary of linkerd-multus-attach-operator, with all permissions. */
export function seedOperator(binary: string, cluster: Cluster, installed: OperatorInstallation): Operator {
  return {
    name: basename(binary),
    start: async () => {
      const temporary = mkdtempSync(join(tmpdir(), 'bench-operator-'));
      // The default folder of certificates in controller-runtime.
      const certificates = join(temporary, 'k8s-webhook-server', 'serving-certs');
      mkdirSync(certificates, { recursive: true });
      for (const file of ['tls.crt', 'tls.key']) {
        copyFileSync(join(installed.certificateDir, file), join(certificates, file));
      }
      const [webhookPort = 0, health, metrics] = await freePorts(3);
      const args = [
        `-linkerd-namespace=${installed.linkerdNamespace}`,
        `-cni-namespace=${installed.cniNamespace}`,
        `-webhook-port=${webhookPort}`,
        `-health-probe-bind-address=127.0.0.1:${health}`,
        `-metrics-bind-address=127.0.0.1:${metrics}`,
        '-leader-elect=false',
      ];
      const env = { PATH: process.env.PATH, TMPDIR: temporary, KUBECONFIG: cluster.kubeconfig() };
      const child = spawn(binary, args, { env, stdio: 'ignore' });
      const ended = once(child, 'close');
      await cluster.eventually(async () => {
        if (child.exitCode !== null) return;
        await fetch(`http://127.0.0.1:${health}/readyz`);
      });
      if (child.exitCode !== null) throw new Error(`${binary} ended with ${child.exitCode}`);
      return {
        pid: child.pid ?? 0,
        webhookPort,
        stop: async () => {
          child.kill('SIGTERM');
          await ended;
          rmSync(temporary, { recursive: true });
        },
      };
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

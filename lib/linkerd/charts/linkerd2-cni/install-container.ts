import type { Container, Volume } from '../../../../imports/kubernetes';
import { resources } from '../pod/resources';
import type { CniView } from './cni-view';
import { envFromConfig } from './config-map';
import { cniImage } from './image';

const SCRATCH = 'linkerd-tmp-dir';

/** Copies the plugin and its configuration to the node, and takes them away when it ends. */
export function installContainer(values: CniView): Container {
  return {
    name: 'install-cni',
    ...cniImage(values),
    env: [
      envFromConfig('DEST_CNI_NET_DIR', 'dest_cni_net_dir'),
      envFromConfig('DEST_CNI_BIN_DIR', 'dest_cni_bin_dir'),
      envFromConfig('CNI_NETWORK_CONFIG', 'cni_network_config'),
      { name: 'SLEEP', value: 'true' },
    ],
    // Without it the container may be gone before its clean-up is: https://github.com/linkerd/linkerd2/issues/2355
    lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', 'kill -15 1; sleep 15s'] } } },
    volumeMounts: [
      ...nodeDirectories(values).map(({ name, path }) => ({ mountPath: `/host${path}`, name })),
      { mountPath: '/tmp', name: SCRATCH },
    ],
    securityContext: { readOnlyRootFilesystem: true, privileged: values.privileged },
    resources: resources(values.resources),
  };
}

/** The volumes that it writes to. */
export function installVolumes(values: CniView): readonly Volume[] {
  return [
    ...nodeDirectories(values).map(({ name, path }) => ({ name, hostPath: { path } })),
    { name: SCRATCH, emptyDir: {} },
  ];
}

/** Directories of the node, of which there is one where plugins lie beside their configuration. */
function nodeDirectories({
  destCNIBinDir = '',
  destCNINetDir = '',
}: CniView): readonly { readonly name: string; readonly path: string }[] {
  const configuration = { name: 'cni-net-dir', path: destCNINetDir };
  if (destCNIBinDir === destCNINetDir) return [configuration];
  return [{ name: 'cni-bin-dir', path: destCNIBinDir }, configuration];
}

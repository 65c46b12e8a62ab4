import { App, Chart } from 'cdk8s';
import { type LinkerdControlPlane, LinkerdMesh, Meshing } from 'cdk8s-linkerd';
import { Deployment } from 'cdk8s-plus-33';
import type { Construct } from 'constructs';

/** An existing chart without a mesh, and its Deployment. */
class Shop extends Chart {
  readonly web: Deployment;

  constructor(scope: Construct, id: string) {
    super(scope, id, { disableResourceNameHashes: true });
    this.web = new Deployment(this, 'web', {
      metadata: { namespace: 'shop', name: 'web' },
      containers: [{ image: 'ghcr.io/stefanprodan/podinfo:6.9.0', portNumber: 9898 }],
    });
  }
}

/** The mesh, as another chart of the same App. */
class Linkerd extends Chart {
  readonly controlPlane: LinkerdControlPlane;

  constructor(scope: Construct, id: string) {
    super(scope, id, { disableResourceNameHashes: true });
    const mesh = new LinkerdMesh(this, 'mesh', {
      crds: { gatewayApi: 'install' },
      monitoring: { namespace: 'monitoring' },
    });
    this.controlPlane = mesh.controlPlane;
  }
}

const app = new App();
const shop = new Shop(app, 'shop');
const { controlPlane } = new Linkerd(app, 'linkerd');

const meshing = new Meshing(shop, 'meshing', { controlPlane });
meshing.namespace('shop');
meshing.inject(shop.web);

app.synth();

import type { ControlPlaneTemplates } from '../../../releases/linkerd/control-plane';

/** The names of ports that no other controller has. */
type OwnPortName =
  | 'dest-admin'
  | 'dest-grpc'
  | 'ident-admin'
  | 'ident-grpc'
  | 'injector-admin'
  | 'policy-admin'
  | 'policy-grpc'
  | 'spval-admin';

/** The name of a controller's port, given the one that is its own; where controllers share names, by what it is for. */
export function portName({ templates }: { readonly templates: ControlPlaneTemplates }, own: OwnPortName): string {
  if (templates.portNames === 'own') return own;
  return own.endsWith('-admin') ? 'admin-http' : 'grpc';
}

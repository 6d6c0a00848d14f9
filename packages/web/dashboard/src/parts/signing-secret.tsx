import { Secret } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/** The secret by which a server checks what comes to it, once. */
export const SigningSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title="Signing secret" onClose={onClose}>
    <p>
      Your receiver checks signatures with it. It is shown this once: copy it now.{' '}
      <a href="/docs/webhooks">How to verify</a>
    </p>
    <Secret text={secret} label="Copy the secret" />
    <div className="row end">
      <button className="button first" type="button" onClick={onClose}>
        I have copied it
      </button>
    </div>
  </Dialog>
);

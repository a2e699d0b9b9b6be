import { Link, useCall, useLocation, useSession, type SlotProps } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { maxStockRequests } from '@clinic/svc-pharmacy/contract/limits';
import { Button, ButtonLink, Icon } from '@clinic/ui';

/** On a medicine that can't be ordered: asks for a message when it can. */
export function BackInStock({ id, name, available }: SlotProps['medicine']) {
  const { user } = useSession();
  if (available) return null;
  return user ? <Ask key={id} id={id} name={name} confirmed={user.emailVerified} /> : <LoginToAsk />;
}

interface AskProps extends Pick<SlotProps['medicine'], 'id' | 'name'> {
  /** Nothing is sent to an address that isn't. */
  readonly confirmed: boolean;
}

function Ask({ id, name, confirmed }: AskProps) {
  // One request for all cards of a page.
  const requests = useCall('listStockRequests', { query: { limit: maxStockRequests } });
  const params = { id };
  const asking = `We’ll email you when ${name} is back in stock`;
  const stopping = `We won’t email you about ${name}`;
  const ask = useChange('askAboutStock', {
    invalidates: ['listStockRequests'],
    success: asking,
    undo: () => ({ call: 'stopAskingAboutStock', input: { params }, done: stopping }),
  });
  const stop = useChange('stopAskingAboutStock', {
    invalidates: ['listStockRequests'],
    success: stopping,
    undo: () => ({ call: 'askAboutStock', input: { params }, done: asking }),
  });
  // The page works without it: no word about a list that can't be loaded.
  if (!requests.data) return null;
  const asked = requests.data.some(({ medicine }) => medicine === id);
  if (asked)
    return (
      <p className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="inline-flex items-center gap-2">
          <Icon name="mail" size={16} className="flex-none text-primary" />
          {confirmed
            ? 'We’ll email you when it’s back.'
            : 'We’ll email you when it’s back, if you’ve confirmed your email address by then.'}
        </span>
        <Button
          variant="link"
          size="sm"
          busy={stop.isPending}
          aria-label={`Don’t email me about ${name}`}
          onClick={() => stop.mutate({ params })}
        >
          Don’t email me
        </Button>
      </p>
    );
  return (
    <Button
      size="sm"
      variant="soft"
      icon="mail"
      className="h-auto min-h-10 grow whitespace-normal"
      busy={ask.isPending}
      aria-label={`Tell me when it’s back: ${name}`}
      onClick={() => ask.mutate({ params })}
    >
      Tell me when it’s back
    </Button>
  );
}

/** The login returns here. */
function LoginToAsk() {
  const { pathname, search } = useLocation();
  return (
    <ButtonLink
      component={Link}
      to="/login"
      state={{ from: `${pathname}${search}` }}
      size="sm"
      variant="soft"
      icon="login"
      className="h-auto min-h-10 whitespace-normal"
    >
      Log in to hear when it’s back
    </ButtonLink>
  );
}

import { useCall, useSession } from '@clinic/app-kit';
import { useLiveLists } from '@clinic/app-kit/records';
import { useLayoutEffect, useRef } from 'react';
import { OfferCard } from './offer-card.tsx';
import './calls.ts';

const lists = ['listOffers'] as const;

/** The times that are held for the signed-in patient, as they come. */
export function useOpenOffers() {
  const email = useSession().user?.email ?? '';
  useLiveLists('watchAppointments', lists);
  return useCall('listOffers', { query: { email, open: 'true', limit: 5 } }, { enabled: email !== '' });
}

/** At the foot of every page: a time that is held for the patient. Nothing while there is none, or it can't be loaded. */
export function OpenOffers() {
  const answer = useOpenOffers();
  const offers = (answer.data ?? []).filter(({ left }) => left > 0);
  const foot = useRoomBelow(offers.length > 0);
  if (offers.length === 0) return null;
  return (
    <div
      ref={foot}
      data-held-time
      className="fixed inset-x-0 bottom-0 z-40 mx-auto grid w-full max-w-3xl gap-2 p-3 print:hidden"
    >
      {offers.map((offer) => (
        <OfferCard
          key={offer._id}
          offer={offer}
          receivedAt={answer.dataUpdatedAt}
          onOver={() => void answer.refetch()}
        />
      ))}
    </div>
  );
}

/** Tells the page how much of its lower edge is covered (`styles.css`). */
function useRoomBelow(covers: boolean) {
  const foot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!foot.current || typeof ResizeObserver !== 'function') return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty('--ui-held', `${Math.ceil(entry?.target.getBoundingClientRect().height ?? 0)}px`),
    );
    observer.observe(foot.current, { box: 'border-box' });
    return () => {
      observer.disconnect();
      style.removeProperty('--ui-held');
    };
  }, [covers]);
  return foot;
}

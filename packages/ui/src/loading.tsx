import { Skeleton } from './skeleton.tsx';

/** The place of something that is loading, which screen readers hear as well. @param className - its size */
export function Loading({ className }: { readonly className: string }) {
  return (
    <>
      <output className="sr-only">Loading...</output>
      <Skeleton className={className} />
    </>
  );
}

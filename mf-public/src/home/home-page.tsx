/** Your Health, Our Priority (`/`). */
export function HomePage() {
  return <h1 className="text-2xl font-bold">Your Health, Our Priority</h1>;
}

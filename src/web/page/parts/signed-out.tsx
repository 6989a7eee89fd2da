export function SignedOut() {
  return (
    <section class="page-note">
      <h1>This link is used up</h1>
      <p>
        Only somebody with a link from your own terminal may look into this memory. A link works once, and
        this browser holds no valid one.
      </p>
      <p>
        Run <code>longhand serve</code> again and open the address that it prints. Nothing you wrote is lost:
        notes are files on your disk.
      </p>
    </section>
  );
}

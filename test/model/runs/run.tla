--------------------------------- MODULE run ---------------------------------
(***************************************************************************)
(* Rows of a run, from the intent to the proof: workers claim rows, sign,  *)
(* commit the signed bytes to the store, broadcast them and record the     *)
(* answer; a leader tracks them on the chain; a retry needs a permission.  *)
(*                                                                         *)
(* Every fault may happen at every step: a crash, a lost or late           *)
(* acknowledgement of a commit, a commit that the database drops, a lost   *)
(* or late answer of the gateway, a lease that ends while its holder       *)
(* lives, a second broadcast, a reorganization, an expiration, a change of *)
(* the leader, and one false answer of the gateway.                        *)
(*                                                                         *)
(* Abstractions:                                                           *)
(* - A fence is compared only with the newest one of its row, so a claim   *)
(*   has a flag `newest` in place of a number. A commit of an older claim  *)
(*   is refused whenever it arrives, so it is removed at once.             *)
(* - Transactions of an intent are numbers; a number that nothing refers   *)
(*   to is used again.                                                     *)
(* - A transaction that was sent may enter a block until solidified time   *)
(*   has passed its expiration, however often a reorganization removes it. *)
(*   This includes bytes that arrive late or twice.                        *)
(* - Only a recorded refusal changes what the workers do. All other        *)
(*   answers, and none, end the work on the row in the same way.           *)
(* - Leading saves requests and is no condition: any worker may track at   *)
(*   any time, so there may be no leader, two at once, or a former leader  *)
(*   that is late.                                                         *)
(*                                                                         *)
(* States that no promise and no later step can tell apart are one state:  *)
(* - Signing changes nothing outside of its worker, so a claim that signs  *)
(*   also sends the commit. A crash before that has the same effect as a   *)
(*   crash after it, whose commit the database drops.                      *)
(* - After a lost acknowledgement the worker commits the same bytes again, *)
(*   and until then it only waits. So the same commit is on its way after  *)
(*   every fault of the connection, whether it was applied before or not.  *)
(* - A commit is its intent and transaction: only the worker that waits    *)
(*   for this transaction receives the answer.                             *)
(* - The store compares a permission with its own facts, so it is of no    *)
(*   importance what a leader read before. Only the planted bug "permission*)
(*   is not checked" needs the decision of a leader as a step of its own.  *)
(* - Workers are alike, and so are intents: `Symmetry`.                    *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Workers, Intents, NoIntent,
  MaxAttempts,    \* attempts of a row
  Spare,          \* transactions of an intent beside its attempts
  MaxFaults,      \* number of faults in a behavior; 0: without a limit
  RefusalPermits, \* TRUE: an explicit refusal of the only submission permits a retry before the expiration
  Lies,           \* TRUE: one answer of the gateway may be a false refusal
  Bug             \* name of a planted bug, or "none"

VARIABLES
  attempts,  \* store: transactions of a row that were committed, in order
  permitted, \* store: another attempt may follow the last one
  leased,    \* store: a worker holds the row
  journal,   \* store: facts about each transaction
  decided,   \* with the bug "permission is not checked": a leader decided to permit a retry after this transaction; 0 for none
  commits,   \* commits that the database has received and not yet applied
  worker,    \* memory of each worker
  chain,     \* truth about each transaction
  lied,      \* the gateway gave its false answer
  faults     \* number of faults so far, if they are limited

store == <<attempts, permitted, leased, journal, decided>>
vars == <<store, commits, worker, chain, lied, faults>>

Transactions == 1..(MaxAttempts + Spare)
Idle == [step |-> "idle", intent |-> NoIntent, tx |-> 0, newest |-> FALSE]
NoFacts == [starts |-> 0, refused |-> FALSE, fact |-> "none"]

Init ==
  /\ attempts = [i \in Intents |-> <<>>]
  /\ permitted = [i \in Intents |-> FALSE]
  /\ leased = [i \in Intents |-> FALSE]
  /\ journal = [i \in Intents |-> [t \in Transactions |-> NoFacts]]
  /\ decided = [i \in Intents |-> 0]
  /\ commits = {}
  /\ worker = [w \in Workers |-> Idle]
  /\ chain = [i \in Intents |-> [t \in Transactions |-> "unsent"]]
  /\ lied = FALSE
  /\ faults = 0

Fault == IF MaxFaults = 0 THEN UNCHANGED faults ELSE faults < MaxFaults /\ faults' = faults + 1

Committed(i) == {attempts[i][n] : n \in 1..Len(attempts[i])}
Last(i) == attempts[i][Len(attempts[i])]
\* The last attempt is final or proven absent, and no other is permitted.
IsEnded(i) == attempts[i] # <<>> /\ journal[i][Last(i)].fact # "none" /\ ~permitted[i]
NeedsSignature(i) == attempts[i] = <<>> \/ permitted[i]
HasRoom(i) == Len(attempts[i]) < MaxAttempts

Used(i) ==
  Committed(i) \cup {c.tx : c \in {d \in commits : d.intent = i}}
    \cup {worker[w].tx : w \in {v \in Workers : worker[v].intent = i}}
    \cup {t \in Transactions : chain[i][t] # "unsent"}
Unused(i) == Transactions \ Used(i)
Smallest(set) == CHOOSE t \in set : \A other \in set : t <= other

-------------------------------------------------------------------------------
(* Worker *)

\* Forgets what an older claim of the row would still try in vain: without fencing it would not be in vain.
IsVain(step) == Bug # "no fencing" /\ step = "committing"
Superseded(it, i) ==
  IF it.intent # i THEN it ELSE IF IsVain(it.step) THEN Idle ELSE [it EXCEPT !.newest = FALSE]

\* Takes a row that no live lease holds. If the row needs a signature, the worker signs and sends the commit.
Claim(w, i) ==
  /\ worker[w].step = "idle"
  /\ ~leased[i]
  /\ ~IsEnded(i)
  /\ LET signs == NeedsSignature(i) \/ (Bug = "takeover signs anew" /\ HasRoom(i))
         tx == IF ~signs THEN Last(i) ELSE IF Unused(i) = {} THEN 0 ELSE Smallest(Unused(i))
         valid == IF Bug = "no fencing" THEN commits ELSE {c \in commits : c.intent # i}
     IN /\ tx # 0
        /\ worker' = [v \in Workers |->
             IF v = w
             THEN [step |-> IF signs THEN "committing" ELSE "committed", intent |-> i, tx |-> tx, newest |-> TRUE]
             ELSE Superseded(worker[v], i)]
        /\ commits' = IF signs THEN valid \cup {[intent |-> i, tx |-> tx]} ELSE valid
  /\ leased' = [leased EXCEPT ![i] = TRUE]
  /\ UNCHANGED <<attempts, permitted, journal, decided, chain, lied, faults>>

\* Workers that wait for a commit: one, or none after a crash.
Waiting(c) == {w \in Workers : worker[w].step = "committing" /\ worker[w].intent = c.intent /\ worker[w].tx = c.tx}

\* The newest claim adds one attempt to those that the row has. The same bytes once more change nothing.
Repeats(c) == c.tx \in Committed(c.intent)
Adds(c) ==
  /\ ~Repeats(c)
  /\ HasRoom(c.intent)
  /\ NeedsSignature(c.intent) \/ Bug \in {"no fencing", "takeover signs anew", "lost acknowledgement taken as failure"}
Apply(c) ==
  /\ attempts' = IF Adds(c) THEN [attempts EXCEPT ![c.intent] = Append(@, c.tx)] ELSE attempts
  /\ permitted' = IF Adds(c) THEN [permitted EXCEPT ![c.intent] = FALSE] ELSE permitted

ApplyCommit(c) ==
  /\ Apply(c)
  /\ commits' = commits \ {c}
  /\ worker' = [w \in Workers |->
       IF w \notin Waiting(c) THEN worker[w]
       ELSE IF Adds(c) \/ Repeats(c) THEN [worker[w] EXCEPT !.step = "committed"]
       ELSE Idle]
  /\ UNCHANGED <<leased, journal, decided, chain, lied, faults>>

\* The worker does not know the result and commits the same bytes again. With the bug it signs anew, and `rest` is on its way.
CommitAgain(c, rest) ==
  /\ Waiting(c) # {}
  /\ Fault
  /\ IF Bug # "lost acknowledgement taken as failure" THEN UNCHANGED <<commits, worker>>
     ELSE LET tx == Smallest(Unused(c.intent))
          IN /\ Unused(c.intent) # {}
             /\ commits' = rest \cup {[c EXCEPT !.tx = tx]}
             /\ worker' = [w \in Workers |-> IF w \in Waiting(c) THEN [worker[w] EXCEPT !.tx = tx] ELSE worker[w]]
  /\ UNCHANGED <<leased, journal, decided, chain, lied>>

\* The database loses the transaction before its commit, and the worker its connection.
DropCommit(c) ==
  \/ CommitAgain(c, commits \ {c}) /\ UNCHANGED <<attempts, permitted>>
  \/ Waiting(c) = {} /\ commits' = commits \ {c} /\ UNCHANGED <<store, worker, chain, lied, faults>>

Commit == \E c \in commits : ApplyCommit(c)
\* The commit is applied, and the worker loses its connection before the acknowledgement.
LoseAcknowledgement == \E c \in commits : Apply(c) /\ CommitAgain(c, commits \ {c})
\* The connection breaks, and the commit may still be applied later.
LoseConnection == \E c \in commits : CommitAgain(c, commits) /\ UNCHANGED <<attempts, permitted>>
LoseCommit == \E c \in commits : DropCommit(c)

Release(w) == leased' = IF worker[w].newest THEN [leased EXCEPT ![worker[w].intent] = FALSE] ELSE leased

\* The start is recorded before the first byte leaves, while the transaction is the last attempt and none may follow it.
Start(w) ==
  LET i == worker[w].intent
      tx == worker[w].tx
      isLast == attempts[i] # <<>> /\ Last(i) = tx /\ ~permitted[i]
      starts == (isLast \/ Bug = "start is not checked") /\ journal[i][tx].fact = "none"
  IN /\ worker[w].step = "committed"
     /\ worker' = [worker EXCEPT ![w] = IF starts THEN [@ EXCEPT !.step = "started"] ELSE Idle]
     /\ journal' = IF starts /\ RefusalPermits
                   THEN [journal EXCEPT ![i][tx].starts = IF @ = 0 THEN 1 ELSE 2]
                   ELSE journal
     /\ IF starts THEN UNCHANGED leased ELSE Release(w)
     /\ UNCHANGED <<attempts, permitted, decided, commits, chain, lied, faults>>

\* The bytes reach a node or not. An honest gateway refuses only bytes that it did not take. Without a refusal the worker
\* releases the row, or crashes or waits for its answer until the lease ends.
Broadcast(w, arrives, refused, releases) ==
  LET i == worker[w].intent
      tx == worker[w].tx
      isEarly == Bug = "broadcast before commit" /\ worker[w].step = "committing"
      isFalse == arrives /\ refused
  IN /\ worker[w].step = "started" \/ isEarly
     /\ arrives => chain[i][tx] # "dead"
     /\ refused => RefusalPermits /\ ~releases
     /\ isFalse => Lies /\ ~lied
     /\ lied' = (lied \/ isFalse)
     /\ chain' = IF arrives /\ chain[i][tx] = "unsent" THEN [chain EXCEPT ![i][tx] = "sent"] ELSE chain
     /\ worker' = IF isEarly THEN worker
                  ELSE IF refused THEN [worker EXCEPT ![w].step = "refused"]
                  ELSE [worker EXCEPT ![w] = Idle]
     /\ IF releases THEN ~isEarly /\ Release(w) ELSE UNCHANGED leased
     /\ UNCHANGED <<attempts, permitted, journal, decided, commits, faults>>

\* The worker records the refusal, perhaps long after its lease ended, and releases the row.
Record(w) ==
  LET i == worker[w].intent
      tx == worker[w].tx
  IN /\ worker[w].step = "refused"
     /\ journal' = [journal EXCEPT ![i][tx].refused = TRUE]
     /\ Release(w)
     /\ worker' = [worker EXCEPT ![w] = Idle]
     /\ UNCHANGED <<attempts, permitted, decided, commits, chain, lied, faults>>

\* The worker loses its memory, and with it an answer that it did not record.
Crash(w) ==
  /\ worker[w].step # "idle"
  /\ Fault
  /\ worker' = [worker EXCEPT ![w] = Idle]
  /\ UNCHANGED <<store, commits, chain, lied>>

\* A lease ends. This is a fault if its holder lives.
EndLease(i) ==
  /\ leased[i]
  /\ Bug = "claim before commit" => attempts[i] # <<>>
  /\ IF \E w \in Workers : worker[w].intent = i /\ worker[w].newest THEN Fault ELSE UNCHANGED faults
  /\ leased' = [leased EXCEPT ![i] = FALSE]
  /\ UNCHANGED <<attempts, permitted, journal, decided, commits, worker, chain, lied>>

-------------------------------------------------------------------------------
(* Leader *)

\* Records what can no longer change: a solidified block, or a proof that the transaction is in none.
Track(i, tx) ==
  /\ tx \in Committed(i)
  /\ chain[i][tx] \in {"solid", "dead"}
  /\ journal[i][tx].fact = "none"
  /\ journal' = [journal EXCEPT ![i][tx].fact = IF chain[i][tx] = "solid" THEN "solid" ELSE "absent"]
  /\ UNCHANGED <<attempts, permitted, leased, decided, commits, worker, chain, lied, faults>>

IsRefusedOnly(i, tx) == journal[i][tx].starts = 1 /\ journal[i][tx].refused

MayRetry(i, tx) ==
  \/ journal[i][tx].fact = "absent"
  \/ RefusalPermits /\ IsRefusedOnly(i, tx) /\ journal[i][tx].fact = "none"
  \/ Bug = "retry without proof" /\ journal[i][tx].fact = "none"

\* The leader reads the facts and decides. The permission reaches the store later, perhaps from a former leader.
Decide(i) ==
  /\ Bug = "permission is not checked"
  /\ attempts[i] # <<>>
  /\ HasRoom(i)
  /\ ~permitted[i]
  /\ decided[i] = 0
  /\ MayRetry(i, Last(i))
  /\ decided' = [decided EXCEPT ![i] = Last(i)]
  /\ UNCHANGED <<attempts, permitted, leased, journal, commits, worker, chain, lied, faults>>

\* The store compares in one transaction with the record: the attempt is the last one, and the facts permit a retry.
Permit(i) ==
  /\ attempts[i] # <<>>
  /\ HasRoom(i)
  /\ ~permitted[i]
  /\ IF Bug = "permission is not checked" THEN decided[i] = Last(i) ELSE MayRetry(i, Last(i))
  /\ permitted' = [permitted EXCEPT ![i] = TRUE]
  /\ decided' = [decided EXCEPT ![i] = 0]
  /\ UNCHANGED <<attempts, leased, journal, commits, worker, chain, lied, faults>>

\* The user creates the same run again. A key that does not expire is refused. An expired key gives a second row of the
\* intent, which is shown here as a permission without a reason.
CreateAgain(i) ==
  /\ Bug = "expiry of keys"
  /\ IsEnded(i)
  /\ HasRoom(i)
  /\ permitted' = [permitted EXCEPT ![i] = TRUE]
  /\ UNCHANGED <<attempts, leased, journal, decided, commits, worker, chain, lied, faults>>

-------------------------------------------------------------------------------
(* Chain *)

Move(i, tx, from, to) == chain[i][tx] = from /\ chain' = [chain EXCEPT ![i][tx] = to] /\ UNCHANGED <<store, commits, worker, lied>>

Include(i, tx) == Move(i, tx, "sent", "block") /\ UNCHANGED faults
Reorganize(i, tx) == Move(i, tx, "block", "sent") /\ Fault
Solidify(i, tx) == Move(i, tx, "block", "solid") /\ UNCHANGED faults
\* Solidified time passes the expiration of a transaction that no solidified block contains.
Expire(i, tx) ==
  /\ Move(i, tx, "sent", "dead") \/ (tx \in Committed(i) /\ Move(i, tx, "unsent", "dead"))
  /\ UNCHANGED faults

-------------------------------------------------------------------------------
\* The only states in which nothing happens any more.
Ended == (\A i \in Intents : IsEnded(i)) /\ UNCHANGED vars

Next ==
  \/ \E w \in Workers, i \in Intents : Claim(w, i)
  \/ \E w \in Workers : Start(w) \/ Record(w) \/ Crash(w)
  \/ \E w \in Workers, arrives, refused, releases \in BOOLEAN : Broadcast(w, arrives, refused, releases)
  \/ Commit \/ LoseAcknowledgement \/ LoseCommit \/ LoseConnection
  \/ \E i \in Intents : EndLease(i) \/ Decide(i) \/ Permit(i) \/ CreateAgain(i)
  \/ \E i \in Intents, tx \in Transactions :
       Track(i, tx) \/ Include(i, tx) \/ Reorganize(i, tx) \/ Solidify(i, tx) \/ Expire(i, tx)
  \/ Ended

\* Everything that is neither a fault nor the choice to retry happens eventually.
Fairness ==
  /\ \A w \in Workers :
       /\ WF_vars(Start(w)) /\ WF_vars(Record(w))
       /\ WF_vars(\E arrives, refused, releases \in BOOLEAN : Broadcast(w, arrives, refused, releases))
  /\ \A i \in Intents :
       /\ WF_vars(\E w \in Workers : Claim(w, i))
       /\ WF_vars(EndLease(i))
       /\ WF_vars(Permit(i))
       /\ \A tx \in Transactions :
            /\ WF_vars(Track(i, tx))
            /\ WF_vars(Solidify(i, tx))
            /\ WF_vars(Include(i, tx) \/ Expire(i, tx))
  /\ WF_vars(Commit)

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness

Symmetry == {p @@ q : p \in Permutations(Workers), q \in Permutations(Intents)}

-------------------------------------------------------------------------------
(* Promises *)

Executed(i) == {tx \in Transactions : chain[i][tx] \in {"block", "solid"}}

\* No intent is executed twice.
NeverTwice == \A i \in Intents : Cardinality(Executed(i)) <= 1

\* The store has the bytes of each transaction that left a worker.
NeverLost == \A i \in Intents, tx \in Transactions : chain[i][tx] # "unsent" => tx \in Committed(i)

\* An attempt follows another only if that one was refused or can never execute.
AttemptsAreProven ==
  \A i \in Intents : \A n \in 1..(Len(attempts[i]) - 1) :
    \/ chain[i][attempts[i][n]] = "dead"
    \/ RefusalPermits /\ IsRefusedOnly(i, attempts[i][n])

\* Each row has its end at last.
EachRowEnds == \A i \in Intents : <>[]IsEnded(i)
===============================================================================

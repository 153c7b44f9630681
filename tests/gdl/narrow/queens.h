// SPDX-License-Identifier: MIT
// Queens on boards of any size, file by file: goals ask for as many rows as there are ways to place
// them, and few of these can be.
#pragma once

#include <string>

namespace ludens::gdl::tests {

/// A rulesheet in which queens are placed, and how it says what a solution is.
struct QueensSheet {
  int size = 5;
  bool ranks_first = false;  // all ranks of a solution are chosen before any of them is judged
  bool any_file = false;     // a queen may stand in any file at any step: two may share one
};

inline std::string file_name(int file) {
  return {static_cast<char>('a' + file)};
}
inline std::string rank_of(int file) {
  return "Y" + std::to_string(file + 1);
}

/// The body of what a solution is, in HRF.
inline std::string hrf_solution(const QueensSheet& sheet) {
  std::string ranks, judged, mixed;
  for (int i = 0; i < sheet.size; ++i) {
    const std::string rank = (i == 0 ? "" : " & ") + ("rank(" + rank_of(i) + ")");
    ranks += rank;
    mixed += rank;
    for (int k = 0; k < i; ++k) {
      const std::string apart = " & ~queenmove(" + file_name(k) + "," + rank_of(k) + "," +
                                file_name(i) + "," + rank_of(i) + ")";
      judged += apart;
      mixed += apart;
    }
  }
  return sheet.ranks_first ? ranks + judged : mixed;
}

/// What moves a queen has on a board where others stand in its way, from a file to a later one.
inline constexpr const char* kHrfQueenMoves = R"(
queenmove(X1,Y1,X2,Y2) :- across(X1,Y1,X2,Y2)
queenmove(X1,Y1,X2,Y2) :- up(X1,Y1,X2,Y2)
queenmove(X1,Y1,X2,Y2) :- down(X1,Y1,X2,Y2)
across(X1,Y,X2,Y) :- nextfile(X1,X2) & rank(Y)
across(X1,Y,X3,Y) :- nextfile(X1,X2) & cellempty(X2,Y) & across(X2,Y,X3,Y)
up(X1,Y1,X2,Y2) :- nextfile(X1,X2) & nextrank(Y1,Y2)
up(X1,Y1,X3,Y3) :- nextfile(X1,X2) & nextrank(Y1,Y2) & cellempty(X2,Y2) & up(X2,Y2,X3,Y3)
down(X1,Y1,X2,Y2) :- nextfile(X1,X2) & nextrank(Y2,Y1)
down(X1,Y1,X3,Y3) :- nextfile(X1,X2) & nextrank(Y2,Y1) & cellempty(X2,Y2) & down(X2,Y2,X3,Y3)
cellempty(X,Y) :- file(X) & rank(Y) & ~filled(X,Y)
)";

/// In HRF. After each step the goal is 10 for each queen, if those that stand can be completed.
inline std::string hrf_queens(const QueensSheet& sheet) {
  std::string text =
      "role(white)\nbase(filled(X,Y)) :- file(X) & rank(Y)\nbase(step(M)) :- pp(M,N)\n"
      "base(control(white))\naction(place(U,V)) :- file(U) & rank(V)\naction(kerchunk)\n"
      "init(control(white))\ninit(step(1))\nplace(X,Y) :: filled(X,Y)\n"
      "place(X,Y) :: kerchunk\nkerchunk :: step(S) & pp(S,T) ==> ~step(S) & step(T)\n";
  std::string all, placed;
  for (int i = 0; i < sheet.size; ++i) all += (i == 0 ? "" : ",") + rank_of(i);
  for (int i = 0; i < sheet.size; ++i) {
    const std::string file = file_name(i), now = std::to_string(i + 1);
    text +=
        "file(" + file + ")\nrank(" + now + ")\npp(" + now + "," + std::to_string(i + 2) + ")\n";
    if (i + 1 < sheet.size) {
      text += "nextfile(" + file + "," + file_name(i + 1) + ")\n";
      text += "nextrank(" + now + "," + std::to_string(i + 2) + ")\n";
    }
    text += "legal(place(" + (sheet.any_file ? "X" : file) + ",Y)) :- step(" + now + ") & rank(Y)" +
            (sheet.any_file ? " & file(X)" : "") + "\n";
    placed += " & filled(" + file + "," + rank_of(i) + ")";
    text += "goal(white," + std::to_string(10 * (i + 1)) + ") :- step(" + std::to_string(i + 2) +
            ")" + placed + " & solution(" + all + ")\n";
  }
  return text + "terminal :- step(" + std::to_string(sheet.size + 1) + ")\nsolution(" + all +
         ") :- " + hrf_solution(sheet) + kHrfQueenMoves;
}

/// In prefix GDL, where a single rule says when all queens stand: nothing but the goal is wide.
inline std::string prefix_queens(int size) {
  std::string text =
      "(role white) (init (step 1))\n"
      "(<= (next (filled ?x ?y)) (does white (place ?x ?y)))\n"
      "(<= (next (filled ?x ?y)) (true (filled ?x ?y)))\n"
      "(<= (next (step ?t)) (true (step ?s)) (pp ?s ?t))\n"
      "(<= (queenmove ?x ?y ?z ?y) (across ?x ?y ?z))\n"
      "(<= (queenmove ?x ?y ?z ?t) (aslant ?x ?y ?z ?t))\n"
      "(<= (queenmove ?x ?y ?z ?t) (aslope ?x ?y ?z ?t))\n"
      "(<= (across ?x ?y ?z) (nextfile ?x ?z) (rank ?y))\n"
      "(<= (across ?x ?y ?z) (nextfile ?x ?w) (empty ?w ?y) (across ?w ?y ?z))\n"
      "(<= (aslant ?x ?y ?z ?t) (nextfile ?x ?z) (pp ?y ?t) (rank ?t))\n"
      "(<= (aslant ?x ?y ?z ?t) (nextfile ?x ?w) (pp ?y ?v) (empty ?w ?v) (aslant ?w ?v ?z ?t))\n"
      "(<= (aslope ?x ?y ?z ?t) (nextfile ?x ?z) (pp ?t ?y) (rank ?y))\n"
      "(<= (aslope ?x ?y ?z ?t) (nextfile ?x ?w) (pp ?v ?y) (empty ?w ?v) (aslope ?w ?v ?z ?t))\n"
      "(<= (empty ?x ?y) (file ?x) (rank ?y) (not (true (filled ?x ?y))))\n"
      "(<= (goal white 0) (not (goal white 100)))\n"
      "(<= (goal white 100) (true (step " +
      std::to_string(size + 1) + "))";
  std::string facts = "(<= terminal (true (step " + std::to_string(size + 1) + ")))\n";
  for (int i = 0; i < size; ++i) {
    const std::string file = file_name(i), now = std::to_string(i + 1);
    text += " (true (filled " + file + " ?" + rank_of(i) + "))";
    for (int k = 0; k < i; ++k) {
      text += " (not (queenmove " + file_name(k) + " ?" + rank_of(k) + " " + file + " ?" +
              rank_of(i) + "))";
    }
    facts += "(file " + file + ") (rank " + now + ") (pp " + now + " " + std::to_string(i + 2) +
             ")\n(<= (legal white (place " + file + " ?y)) (true (step " + now + ")) (rank ?y))\n";
    if (i + 1 < size) facts += "(nextfile " + file + " " + file_name(i + 1) + ")\n";
  }
  return text + ")\n" + facts;
}

}  // namespace ludens::gdl::tests

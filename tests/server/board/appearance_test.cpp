// SPDX-License-Identifier: MIT
// Which role owns the things on a board, and how they look.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/board/board.h"
#include "server/board/trails.h"
#include "server/game/rulesheet.h"

namespace ludens::server {
namespace {

using Shape = Appearance::Shape;

/// A board of 3 x 3 on which these things lie from the first square on.
struct Sheet {
  std::string rules, state;
};
Sheet board_with(const std::string& roles, const std::vector<std::string>& things,
                 const std::string& more = "") {
  Sheet sheet{roles + more, "("};
  std::size_t next = 0;
  for (int x = 1; x <= 3; ++x) {
    for (int y = 1; y <= 3; ++y) {
      const std::string thing = next < things.size() ? things[next++] : "blank";
      const std::string fact =
          "(cell " + std::to_string(x) + " " + std::to_string(y) + " " + thing + ")";
      sheet.rules += "(init " + fact + ")";
      sheet.state += " " + fact;
    }
  }
  sheet.state += " )";
  return sheet;
}
Board board_of_sheet(const Sheet& sheet) {
  return Board(*read_rulesheet("test", sheet.rules).rules, sheet.state);
}

TEST(AppearanceOfThings, FollowTheFirstLettersOfRoles) {
  const Board board = board_of_sheet(board_with("(role redduper) (role bluejumper)", {"r", "b"}));
  EXPECT_EQ(board.appearance("r").shape, Shape::Disc);
  EXPECT_EQ(board.appearance("r").colour, "red");
  EXPECT_EQ(board.appearance("b").colour, "blue");
  EXPECT_EQ(board.appearance("b").role, "bluejumper");
}

TEST(AppearanceOfThings, GiveMenOfAnotherColourToTheRoleThatIsLeft) {
  const Board board = board_of_sheet(board_with("(role red) (role black)", {"wp", "bp"}));
  EXPECT_EQ(board.appearance("bp").colour, "black");
  EXPECT_EQ(board.appearance("wp").colour, "red");
}

TEST(AppearanceOfThings, TellChessByItsKings) {
  const std::string roles = "(role white) (role black)";
  const Board endgame = board_of_sheet(board_with(roles, {"wk", "wr", "bk"}));
  EXPECT_EQ(endgame.appearance("wk").shape, Shape::Chess);
  EXPECT_EQ(endgame.appearance("bk").colour, "black");
  const Board draughts =
      board_of_sheet(board_with(roles, {"wp", "bp"},
                                "(<= (next (cell ?x ?y wk)) (true (cell ?x ?y wp))) "
                                "(<= (next (cell ?x ?y bk)) (true (cell ?x ?y bp)))"));
  EXPECT_EQ(draughts.appearance("wp").shape, Shape::Disc) << "kings come later here";
}

TEST(AppearanceOfThings, BelongToTheOnlyRoleWhoseMovesPutThem) {
  const Board board = board_of_sheet(
      board_with("(role crosser) (role builder)", {},
                 "(<= (next (cell ?x ?y stone)) (does builder (put ?x ?y)))"
                 "(<= (next (cell ?x ?y crosser)) (does crosser (put ?x ?y)))"
                 "(<= (next (cell ?x ?y tree)) (true (cell ?x ?y tree)) (does builder (put ?u ?v)))"
                 "(<= (next (cell ?x ?y tree)) (does ?r (plant ?x ?y)))"));
  EXPECT_EQ(board.appearance("stone").role, "builder");
  EXPECT_EQ(board.appearance("stone").colour, board.role_colour("builder"));
  EXPECT_EQ(board.appearance("tree").role, "");
}

TEST(AppearanceOfThings, MakeSmallWhatIsThereToBeTaken) {
  const Board board = board_of_sheet(board_with("(role p)", {"pellet", "wall"}));
  EXPECT_LT(board.appearance("pellet").size, 0.5);
  EXPECT_EQ(board.appearance("wall").shape, Shape::Tile);
}

/// What lies at column and row 1, as the trail is followed.
TEST(TrailsOnTheBoard, AreThoseOfThePieceThatLeftThem) {
  const char* const rules =
      "(role red) (role blue) (n 1) (n 2) (n 3) (init (cell 3 3 dust)) (init (at red 1 1))"
      "(init (at blue 2 2)) (<= (base (cell ?x ?y dust)) (n ?x) (n ?y))"
      "(<= (base (at ?p ?x ?y)) (role ?p) (n ?x) (n ?y))"
      "(<= (legal ?p (go ?x ?y)) (role ?p) (n ?x) (n ?y))"
      "(<= (next (at ?p ?x ?y)) (does ?p (go ?x ?y)))"
      "(<= (next (cell ?x ?y dust)) (true (cell ?x ?y dust)))"
      "(<= (next (cell ?x ?y dust)) (true (at ?p ?x ?y)))";
  const Sheet sheet{rules, "( ( cell 3 3 dust ) ( at red 1 1 ) ( at blue 2 2 ) )"};
  const Board board = board_of_sheet(sheet);
  Trails trails(board);
  Picture picture = board.picture(sheet.state);
  trails.follow(picture);
  const std::string old = picture.grids[0].cells[0][2].at(0);
  EXPECT_EQ(board.appearance(old).role, "") << "it was there before";
  picture = board.picture(
      "( ( cell 3 3 dust ) ( cell 1 1 dust ) ( cell 2 2 dust ) ( at red 1 2 ) ( at blue 2 3 ) )");
  trails.follow(picture);
  EXPECT_EQ(board.appearance(picture.grids[0].cells[2][0].at(0)).colour, "red");
  EXPECT_EQ(board.appearance(picture.grids[0].cells[1][1].at(0)).colour, "blue");
  EXPECT_EQ(board.appearance(picture.grids[0].cells[0][2].at(0)).role, "");
  picture = board.picture("( ( cell 1 1 dust ) ( at red 1 3 ) ( at blue 2 2 ) )");
  trails.follow(picture);
  EXPECT_EQ(board.appearance(picture.grids[0].cells[2][0].at(0)).colour, "red")
      << "as long as it stays";
}

}  // namespace
}  // namespace ludens::server
